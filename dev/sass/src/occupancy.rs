//! Occupancy: the number of warps of a kernel that a multiprocessor holds at once, by the limits
//! that CUDA's documents state for compute capability 9.0.
//!
//! Registers, static shared memory and, for kernels with launch bounds, the size of a block are
//! known. The choices of a launch are not: a kernel without launch bounds is taken to have blocks
//! of [`DEFAULT_THREADS`], and dynamic shared memory is not counted.

/// Block size of kernels without launch bounds. It is small, so that a few registers make a
/// difference.
pub const DEFAULT_THREADS: u64 = 128;

const THREADS_OF_WARP: u64 = 32;
const WARPS: u64 = 64;
const BLOCKS: u64 = 32;
/// Registers of one of the four parts of a multiprocessor; a warp is in one of them.
const REGISTERS_OF_PART: u64 = 16_384;
const PARTS: u64 = 4;
/// Number of registers that are given to a warp at a time.
const REGISTERS_PORTION: u64 = 256;
const SHARED: u64 = 233_472;
const SHARED_PORTION: u64 = 128;
/// Bytes of each block's shared memory that the driver keeps. If a kernel declares shared memory,
/// tools include these bytes in its size.
const SHARED_RESERVED: u64 = 1024;

/// Returns the number of warps that a multiprocessor holds at once: 0 if not one block fits.
#[must_use]
pub fn warps(registers: u64, shared: u64, threads: Option<u64>) -> u64 {
    let of_block = threads.unwrap_or(DEFAULT_THREADS).div_ceil(THREADS_OF_WARP).max(1);
    let of_warp = (registers.max(1) * THREADS_OF_WARP).next_multiple_of(REGISTERS_PORTION);
    let by_registers = REGISTERS_OF_PART / of_warp * PARTS;
    let shared = shared.max(SHARED_RESERVED).next_multiple_of(SHARED_PORTION);
    let blocks = (by_registers.min(WARPS) / of_block).min(SHARED / shared).min(BLOCKS);
    blocks * of_block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_shared_memory_and_blocks_limit_warps() {
        // The numbers were worked out by hand from the limits of compute capability 9.0.
        for (registers, shared, threads, expected) in [
            (32, 0, Some(256), 64),
            (33, 0, Some(256), 48),
            (40, 0, Some(256), 48),
            (41, 0, None, 40),
            (64, 0, Some(1024), 32),
            (65, 0, Some(1024), 0),
            (128, 0, None, 16),
            (129, 0, None, 12),
            (255, 0, None, 8),
            (16, 0, Some(32), 32),
            (32, 49_152, Some(128), 16),
            (32, 2048 + 1024, Some(256), 64),
        ] {
            assert_eq!(
                warps(registers, shared, threads),
                expected,
                "{registers} {shared} {threads:?}"
            );
        }
    }
}
