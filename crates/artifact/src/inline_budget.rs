//! The limits of the growth of functions by inlining.
//!
//! The backend job's inliner applies these limits, and the thin link uses them to avoid importing
//! bodies that would exceed the inliner's budget. They are here because the two executables share
//! no other code.

/// Number of units for each instruction in LLVM's estimates of growth.
pub const UNITS_PER_INSTRUCTION: u32 = 5;

/// Default budget: the growth of a caller in units.
pub const INLINE_BUDGET: u32 = 20_000;

/// Maximum growth of a kernel, in budgets.
pub const KERNEL_BUDGETS: u32 = 8;

/// Divisor of the budget for small functions that other modules can see.
pub const EXPORTED_PART: u32 = 20;

/// Maximum number of instructions, before anything is inlined, of a function that counts as small:
/// it is imported nearly always. This is the thin link's limit four calls away from a body of the
/// importer.
pub const OFTEN_IMPORTED: u32 = 250;

/// Growth in units of a body that replaces its call without making the caller larger. Such a body
/// is always inlined.
pub const TRIVIAL_GROWTH: u32 = 50;
