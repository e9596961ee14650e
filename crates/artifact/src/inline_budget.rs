//! What the inliner lets functions grow by.
//!
//! The backend job's inliner goes by these numbers, and the thin link imports by them, so that it brings no body
//! into a module that the inliner has no room for. They are here because the two executables share no other code.

/// What the numbers count: LLVM's estimates of growth have so many units for each instruction.
pub const UNITS_PER_INSTRUCTION: u32 = 5;

/// What a caller may grow by, unless its job is told another budget, in units.
pub const INLINE_BUDGET: u32 = 20_000;

/// How many times the budget a kernel may grow by.
pub const KERNEL_BUDGETS: u32 = 8;

/// The part of the budget that a function gets which is visible to others and small.
pub const EXPORTED_PART: u32 = 20;

/// Instructions, before anything is inlined, up to which a function counts as small: it is imported nearly
/// always. This is the thin link's limit four calls away from a body of the importer.
pub const OFTEN_IMPORTED: u32 = 250;

/// A body of this growth, in units, replaces its call without making anything larger. It is inlined whatever was
/// inlined before.
pub const TRIVIAL_GROWTH: u32 = 50;
