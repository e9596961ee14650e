//! What a model says of a call.

use std::fmt;

/// Why a call is inlined or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InlineReason {
    /// Its body must be inlined everywhere.
    AlwaysInline,
    /// It is one of LLVM's own functions.
    Intrinsic,
    /// LLVM cannot inline it, in its words.
    NotAnalysable(String),
    /// Attributes of the two functions forbid it, in LLVM's words.
    Attributes(String),
    /// A definition of this linkage may be another one in the end.
    Linkage,
    /// Its visibility is protected.
    Protected,
    /// There is no body.
    Declaration,
    /// It is marked so.
    NoInline,
    /// It is marked as not to be optimised.
    NoOptimise,
    /// Its loads times its stores are too many.
    LoadsTimesStores(u64),
    /// It has a switch of so many cases.
    SwitchCases(u32),
    /// Everything is.
    InlineAll,
    /// Nothing is.
    Disabled,
    /// Cost against limit decided.
    Cost,
    /// The caller has no room left.
    CallerBudget,
    /// The module has no room left.
    TotalBudget,
}

impl fmt::Display for InlineReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AlwaysInline => formatter.write_str("always inlined"),
            Self::Intrinsic => formatter.write_str("an intrinsic"),
            Self::NotAnalysable(words) => write!(formatter, "cannot be inlined: {words}"),
            Self::Attributes(words) => write!(formatter, "attributes: {words}"),
            Self::Linkage => formatter.write_str("linkage"),
            Self::Protected => formatter.write_str("protected visibility"),
            Self::Declaration => formatter.write_str("no body"),
            Self::NoInline => formatter.write_str("noinline"),
            Self::NoOptimise => formatter.write_str("optnone"),
            Self::LoadsTimesStores(product) => write!(formatter, "loads x stores {product}"),
            Self::SwitchCases(cases) => write!(formatter, "a switch of {cases} cases"),
            Self::InlineAll => formatter.write_str("all are inlined"),
            Self::Disabled => formatter.write_str("inlining is disabled"),
            Self::Cost => formatter.write_str("cost"),
            Self::CallerBudget => formatter.write_str("the caller's budget is spent"),
            Self::TotalBudget => formatter.write_str("the module's budget is spent"),
        }
    }
}

/// A decision with its numbers, which are of the model's units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) inlines: bool,
    pub(super) reason: InlineReason,
    pub(super) cost: i64,
    pub(super) limit: i64,
    /// What the caller's and the module's budgets lose when it is inlined.
    pub(super) charge: u64,
}

impl Verdict {
    /// One that no cost was asked for.
    pub(super) fn without_cost(inlines: bool, reason: InlineReason) -> Self {
        Self { inlines, reason, cost: 0, limit: 0, charge: 0 }
    }

    pub(super) fn never(reason: InlineReason) -> Self {
        Self::without_cost(false, reason)
    }
}

/// What was inlined before, in a model's units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spent {
    /// Into the caller.
    pub(super) caller: u64,
    /// Into all functions of the module.
    pub(super) module: u64,
}
