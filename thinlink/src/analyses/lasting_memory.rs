//! Memory of variables that jobs of LTO IR may each have a copy of.

/// NVPTX's address spaces of memory that outlives a kernel: global and constant.
pub(crate) const LASTING: [u32; 2] = [1, 4];

/// Largest constant, in bytes, of which each job has what is left after folding. nvlink keeps the
/// storage of each, so larger ones are emitted once.
pub(crate) const SMALL_CONSTANT: u64 = 64;
