//! The outcome for a candidate of import.

/// The outcome for a candidate: imported or not, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImportOutcome {
    /// Nothing is decided yet.
    Undecided,
    /// Imported: it costs no more than the threshold.
    Fits,
    /// Imported regardless of cost: `alwaysinline`, hot by profile, or because of
    /// `--force-import-all` or `--import-all-index`.
    Forced,
    /// Imported: a constant.
    Constant,
    /// Imported: the workload definition lists it.
    Listed,
    /// Imported, and the module emits its own copy: a kernel of the module reaches it.
    Copied,
    /// The cost exceeds the threshold.
    TooLarge,
    /// The function is marked `noinline`.
    NoInline,
    /// An entry point.
    Kernel,
    /// Its body cannot be copied, or it names a local that cannot get a global name.
    NotImportable,
    /// Another definition may replace it.
    Interposable,
    /// An alias, which has no body to copy.
    Alias,
    /// A variable that may change, or is not in global or constant memory, or is set by the host.
    NotConstant,
    /// A constant that names symbols, with `--import-constants-with-refs=false`.
    ConstantWithReferences,
    /// The module imports as many functions as `--import-cutoff` lets it.
    CutOff,
    /// No calling body has room for it: the inliner's budgets go to other callees.
    BudgetSpent,
    /// The function exceeds `--copy-limit`, the largest that other modules may get.
    OverCopyLimit,
}

impl ImportOutcome {
    /// Whether the body is imported.
    pub(crate) fn is_import(self) -> bool {
        matches!(self, Self::Fits | Self::Forced | Self::Constant | Self::Listed | Self::Copied)
    }

    /// Returns the outcome in words, as in LLVM's list of failures.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Undecided => "undecided",
            Self::Fits => "fits",
            Self::Forced => "forced",
            Self::Constant => "constant",
            Self::Listed => "listed in the workload definition",
            Self::Copied => "reached by a kernel of the module",
            Self::TooLarge => "too large",
            Self::NoInline => "noinline",
            Self::Kernel => "kernel",
            Self::NotImportable => "not importable",
            Self::Interposable => "interposable",
            Self::Alias => "alias",
            Self::NotConstant => "not constant",
            Self::ConstantWithReferences => "constant with references",
            Self::CutOff => "cut-off reached",
            Self::BudgetSpent => "the caller's budget is spent",
            Self::OverCopyLimit => "larger than --copy-limit",
        }
    }
}
