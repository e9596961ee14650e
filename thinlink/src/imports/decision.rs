//! What was decided of each candidate, and why: kept for every one, always, in 24 bytes.

use weft_artifact::Hotness;

use super::candidate::Judgement;
use crate::index::{Node, position};
use crate::program::{Call, Function};

/// One candidate of one module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    callee: u32,
    caller: u32,
    /// What the candidate may cost, at its best call.
    pub(crate) threshold: u32,
    /// What it costs. Of a variable, its bytes.
    pub(crate) cost: u32,
    /// How often it was met; 65535 stands for more.
    pub(crate) attempts: u16,
    /// Level of calls: 1 for what the module's own code calls. 255 stands for more.
    pub(crate) level: u8,
    /// How often its best call is executed, beside others.
    pub(crate) class: Class,
    /// In which pass it was met at its best.
    pub(crate) pass: Pass,
    /// What became of it.
    pub(crate) verdict: Verdict,
    /// It is a function with a body.
    pub(crate) is_function: bool,
}

impl Decision {
    /// A candidate that `caller` was the first to name, before anything is decided.
    pub(super) fn new(callee: Node, offer: &Offer) -> Self {
        Self {
            callee: position(callee),
            caller: position(offer.caller),
            threshold: offer.threshold,
            cost: 0,
            attempts: 1,
            level: offer.level,
            class: offer.class,
            pass: offer.pass,
            verdict: Verdict::Undecided,
            is_function: false,
        }
    }

    /// Takes over what was judged. Another copy of the same name may be taken.
    pub(super) fn judge(&mut self, judgement: &Judgement) {
        self.cost = judgement.cost;
        self.verdict = judgement.verdict;
        self.is_function = judgement.is_function;
        self.callee = position(judgement.copy);
    }

    /// Another call names the candidate.
    pub(super) fn meet(&mut self) {
        self.attempts = self.attempts.saturating_add(1);
    }

    /// Takes over where a better call names the candidate.
    pub(super) fn raise(&mut self, offer: &Offer) {
        self.caller = position(offer.caller);
        self.threshold = offer.threshold;
        self.level = offer.level;
        self.class = offer.class;
        self.pass = offer.pass;
    }

    /// The definition.
    pub(crate) fn callee(&self) -> Node {
        self.callee as usize
    }

    /// The body that names it, at its best call.
    pub(crate) fn caller(&self) -> Node {
        self.caller as usize
    }

    /// Whether its body is imported.
    pub(crate) fn is_import(&self) -> bool {
        self.verdict.is_import()
    }
}

/// Where a candidate is named.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    pub(super) caller: Node,
    pub(super) threshold: u32,
    pub(super) level: u8,
    pub(super) class: Class,
    pub(super) pass: Pass,
}

/// How often a call is executed, beside others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    Cold,
    Normal,
    Hot,
    Critical,
}

/// The passes, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pass {
    /// What the module's own code calls or reads.
    Direct,
    /// What imported bodies call or read.
    Transitive,
    /// What may be the target of an indirect call.
    Speculative,
}

/// What became of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nothing yet.
    Undecided,
    /// Imported: it costs no more than the threshold.
    Fits,
    /// Imported whatever it costs: `alwaysinline`, hot by profile, or because of
    /// `--force-import-all` or `--import-all-index`.
    Forced,
    /// Imported: a constant.
    Constant,
    /// Imported: the workload definition lists it.
    Listed,
    /// Imported, and the module emits a copy of its own: a kernel of the module reaches it.
    Copied,
    /// It costs more than the threshold.
    TooLarge,
    /// Marked `noinline`.
    NoInline,
    /// An entry point.
    Kernel,
    /// Its body cannot be copied, or it names a local that cannot get a global name.
    NotImportable,
    /// Another definition may replace it.
    Interposable,
    /// An alias, of which there is no body to copy.
    Alias,
    /// A variable that may change, or is not in global or constant memory, or is set by the host.
    NotConstant,
    /// A constant that names symbols, with `--import-constants-with-refs=false`.
    ConstantWithReferences,
    /// The module imports as many functions as `--import-cutoff` lets it.
    CutOff,
    /// No body that calls it has room for it: the inliner's budgets go to other callees.
    BudgetSpent,
}

impl Verdict {
    /// Whether the body is imported.
    pub(super) fn is_import(self) -> bool {
        matches!(self, Self::Fits | Self::Forced | Self::Constant | Self::Listed | Self::Copied)
    }

    /// Every verdict on a refusal has a word for people, as in LLVM's list of failures.
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
        }
    }
}

impl Class {
    /// Its word for people.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Cold => "cold",
            Self::Normal => "normal",
            Self::Hot => "hot",
            Self::Critical => "critical",
        }
    }
}

impl Pass {
    /// Its word for people.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Transitive => "transitive",
            Self::Speculative => "speculative",
        }
    }
}

/// How hot a call counts as. LLVM knows it from a profile only.
pub(super) fn class(call: &Call, caller: Function<'_>) -> Class {
    if !caller.flags().profiled {
        return Class::Normal;
    }
    match call.hotness() {
        Hotness::Cold => Class::Cold,
        Hotness::Unknown | Hotness::None => Class::Normal,
        Hotness::Hot => Class::Hot,
        Hotness::Critical => Class::Critical,
    }
}

#[cfg(test)]
mod tests {
    use super::Decision;

    #[test]
    fn a_decision_takes_little_space() {
        assert_eq!(size_of::<Decision>(), 24);
    }
}
