//! Programs compute the same from the PTX of a plain build, of Weft and of nvcc's link-time
//! optimization, run by an interpreter, as on the processor.
//!
//! `WEFT_PTX_PROGRAMS` sets the number of random programs and `WEFT_SEED` the first seed; `cargo
//! xtask ptx` sets both.

use std::sync::atomic::{AtomicU64, Ordering};

use weft_tests::interpreted::{self, Agreement};
use weft_tests::meaning::failing_seeds;
use weft_tests::setting;

#[test]
fn random_programs_run_from_ptx() {
    let (first, count) = (setting("WEFT_SEED", 1), setting("WEFT_PTX_PROGRAMS", 50));
    let open = AtomicU64::new(0);
    let found = failing_seeds(first, count, 50, |seed| {
        if interpreted::check_random(seed)? == Agreement::WithinCompilers {
            open.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    });
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
