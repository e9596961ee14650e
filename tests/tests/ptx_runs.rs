//! Programs compute the same from the PTX of a plain build, of Weft and of nvcc's link-time
//! optimization, run by an interpreter, as on the processor.
//!
//! `WEFT_PTX_PROGRAMS` sets the number of random programs and `WEFT_SEED` the first seed; `cargo
//! xtask ptx` sets both.

use std::sync::atomic::{AtomicU64, Ordering};

use weft_tests::interpreted::{self, Agreement};
use weft_tests::setting;

#[test]
fn random_programs_run_from_ptx() {
    let (first, count) = (setting("WEFT_SEED", 1), setting("WEFT_PTX_PROGRAMS", 50));
    let (next, open) = (AtomicU64::new(0), AtomicU64::new(0));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        let mut found = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return found;
            }
            if number.is_multiple_of(50) {
                println!("program {number} of {count}");
            }
            match interpreted::check_random(first + number) {
                Ok(Agreement::All) => {}
                Ok(Agreement::WithinCompilers) => {
                    open.fetch_add(1, Ordering::Relaxed);
                }
                Err(difference) => {
                    println!("{}\nfolder: {}", difference.story, difference.folder.display());
                    found.push(first + number);
                }
            }
        }
    };
    let mut found = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
    });
    found.sort_unstable();
    println!("metric strain.ptx_programs {count}");
    println!("metric strain.ptx_read_differently {}", open.into_inner());
    println!("metric strain.ptx_differences {}", found.len());
    assert!(
        found.is_empty(),
        "of {count} programs, these seeds failed: {found:?}. Again: cargo xtask ptx --programs 1 \
         --seed SEED"
    );
}

#[test]
fn the_example_runs_from_ptx() {
    if let Err(difference) = interpreted::check_transport() {
        panic!("{}\nfolder: {}", difference.story, difference.folder.display());
    }
}
