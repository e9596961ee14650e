//! The entry point and the bound of memory of all fuzz targets.
//!
//! A target is a program of its own, and not a choice in one program, because libFuzzer looks at
//! the counters of the whole program after each input.

use std::alloc::System;

use cap::Cap;

pub use libfuzzer_sys;

/// An allocation beyond the bound fails, which ends the program: a finding.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, dev_readers::MEMORY);

/// Makes the program a fuzz target of a function that takes bytes.
#[macro_export]
macro_rules! target {
    ($reader:path) => {
        $crate::libfuzzer_sys::fuzz_target!(|data: &[u8]| {
            let _ = $reader(data);
        });
    };
}
