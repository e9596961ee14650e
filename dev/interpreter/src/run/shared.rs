//! A block of threads.

use crate::link::Program;
use crate::memory::Global;

/// Everything that the threads of a block share while they run.
pub(super) struct Shared<'run> {
    pub(super) program: &'run Program,
    pub(super) global: &'run mut Global,
    pub(super) printed: &'run mut String,
    /// Shared memory of the block.
    pub(super) memory: Vec<u8>,
    pub(super) dynamic_bytes: u32,
    /// Instructions that have run, and their limit.
    pub(super) steps: &'run mut u64,
    pub(super) limit: u64,
    pub(super) blocks: [u32; 3],
    pub(super) threads: [u32; 3],
    pub(super) block: [u32; 3],
}

/// Returns the position of a number in a box.
pub(super) fn position(number: u64, size: [u32; 3]) -> [u32; 3] {
    let [x, y, z] = size.map(|size| u64::from(size.max(1)));
    let place = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
    [place(number % x), place(number / x % y), place(number / x / y % z)]
}
