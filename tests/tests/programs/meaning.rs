//! A program prints the same when it is linked plainly and through Weft.
//!
//! The tests run both links of random programs on this machine's processor. `WEFT_PROGRAMS` sets
//! the number of programs and `WEFT_SEED` the first seed; `cargo xtask nightly` sets both.

use weft_tests::meaning::OnGpu;
use weft_tests::{meaning, path_setting, setting, skip_without_gpu};

#[test]
fn random_programs_mean_the_same() {
    let (first, count) = (setting("WEFT_SEED", 1), setting("WEFT_PROGRAMS", 100));
    let found = meaning::failing_seeds(first, count, 100, meaning::check);
    assert!(
        found.is_empty(),
        "of {count} programs, these seeds failed: {found:?}. Again: cargo xtask nightly \
         --count 1 --seed SEED"
    );
}

/// The first program is built in any case. Without a GPU, the others would not show more, unless
/// `WEFT_GPU_FOLDER` names a folder that takes them to a machine with one: `cargo xtask gpu`.
#[test]
fn random_programs_mean_the_same_on_a_gpu() {
    let (first, count) = (setting("WEFT_SEED", 1), setting("WEFT_PROGRAMS", 100));
    if let Some(folder) = path_setting("WEFT_GPU_FOLDER") {
        let write = |seed| meaning::write_for_gpu(seed, &folder);
        let failed = meaning::failing_seeds(first, count, 100, write);
        return assert!(failed.is_empty(), "these seeds failed: {failed:?}");
    }
    for seed in first..first + count {
        let outcome = meaning::check_on_gpu(seed).unwrap_or_else(|difference| {
            panic!("{}\nfolder: {}", difference.story, difference.folder.display())
        });
        if outcome == OnGpu::NoGpu {
            return skip_without_gpu("random programs as SASS and PTX");
        }
    }
}
