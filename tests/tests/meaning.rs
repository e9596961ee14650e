//! A program prints the same when it is linked plainly and through Weft.
//!
//! The tests run both links of random programs on this machine's processor. `WEFT_PROGRAMS` sets
//! the number of programs and `WEFT_SEED` the first seed; `cargo xtask nightly` sets both.

use std::sync::atomic::{AtomicU64, Ordering};

use weft_tests::meaning::OnGpu;
use weft_tests::{meaning, setting, skip_without_gpu};

#[test]
fn random_programs_mean_the_same() {
    let (first, count) = (setting("WEFT_SEED", 1), setting("WEFT_PROGRAMS", 100));
    let next = AtomicU64::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        let mut found = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return found;
            }
            if number.is_multiple_of(100) {
                println!("program {number} of {count}");
            }
            if let Err(difference) = meaning::check(first + number) {
                println!("{}\nfolder: {}", difference.story, difference.folder.display());
                found.push(first + number);
            }
        }
    };
    let mut found = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
    });
    found.sort_unstable();
    assert!(
        found.is_empty(),
        "of {count} programs, these seeds failed: {found:?}. Again: cargo xtask nightly \
         --count 1 --seed SEED"
    );
}

/// The first program is built in any case. Without a GPU, the others would not show more.
#[test]
fn random_programs_mean_the_same_on_a_gpu() {
    let (first, count) = (setting("WEFT_SEED", 1), setting("WEFT_PROGRAMS", 100));
    for seed in first..first + count {
        let outcome = meaning::check_on_gpu(seed).unwrap_or_else(|difference| {
            panic!("{}\nfolder: {}", difference.story, difference.folder.display())
        });
        if outcome == OnGpu::NoGpu {
            return skip_without_gpu("random programs as SASS and PTX");
        }
    }
}
