//! Choices about closing modules.

/// Choices that closing depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosingPolicy {
    /// Whether functions are copied at all.
    pub is_on: bool,
    /// The most IR instructions that a kernel may reach to be closed, its own included.
    pub closure_limit: u32,
    /// Growth of the program that copies which will not be inlined may cause, in percent of its
    /// live IR instructions.
    pub growth_percent: u32,
}

impl ClosingPolicy {
    /// The default of [`closure_limit`](Self::closure_limit).
    pub const CLOSURE_LIMIT: u32 = 50_000;
    /// The default of [`growth_percent`](Self::growth_percent).
    pub const GROWTH_PERCENT: u32 = 500;
}

impl Default for ClosingPolicy {
    fn default() -> Self {
        Self {
            is_on: true,
            closure_limit: Self::CLOSURE_LIMIT,
            growth_percent: Self::GROWTH_PERCENT,
        }
    }
}
