//! Memory of variables that each LTO IR job may copy.

/// NVPTX's address spaces of memory that outlives a kernel: global and constant.
pub(crate) const LASTING: [u32; 2] = [1, 4];

/// Largest constant, in bytes, whose remains after folding are emitted by each job. nvlink keeps
/// the storage of each, so larger ones are emitted once.
pub(crate) const SMALL_CONSTANT: u64 = 64;
