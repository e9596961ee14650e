//! Decision of a model about a call.

use std::fmt;

/// Why a call is inlined or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InlineReason {
    /// The callee must be inlined everywhere.
    AlwaysInline,
    /// The callee is one of LLVM's own functions.
    Intrinsic,
    /// LLVM cannot inline it, in its words.
    NotAnalyzable(String),
    /// Attributes of the two functions forbid it, in LLVM's words.
    Attributes(String),
    /// A definition of this linkage may be another one in the end.
    Linkage,
    /// The callee's visibility is protected.
    Protected,
    /// The callee has no body.
    Declaration,
    /// The callee has the attribute `noinline`.
    NoInline,
    /// The callee has the attribute `optnone`.
    NoOptimize,
    /// The callee's loads times its stores are too many.
    LoadsTimesStores(u64),
    /// The callee has a switch of so many cases.
    SwitchCases(u32),
    /// Every call is inlined.
    InlineAll,
    /// No call is inlined.
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
            Self::NotAnalyzable(words) => write!(formatter, "cannot be inlined: {words}"),
            Self::Attributes(words) => write!(formatter, "attributes: {words}"),
            Self::Linkage => formatter.write_str("linkage"),
            Self::Protected => formatter.write_str("protected visibility"),
            Self::Declaration => formatter.write_str("no body"),
            Self::NoInline => formatter.write_str("noinline"),
            Self::NoOptimize => formatter.write_str("optnone"),
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
    /// Amount that the caller's and the module's budgets lose when the call is inlined.
    pub(super) charge: u64,
}

impl Verdict {
    /// A decision for which no cost was asked.
    pub(super) fn without_cost(inlines: bool, reason: InlineReason) -> Self {
        Self { inlines, reason, cost: 0, limit: 0, charge: 0 }
    }

    pub(super) fn never(reason: InlineReason) -> Self {
        Self::without_cost(false, reason)
    }
}

/// Growth by earlier inlining, in a model's units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spent {
    /// Growth of the caller.
    pub(super) caller: u64,
    /// Growth of all functions of the module.
    pub(super) module: u64,
}
