//! What was decided of each candidate, and why: kept for every one, always, in 24 bytes.

use weft_artifact::Hotness;

use crate::candidates::{ImportOutcome, Judgement};

use crate::model::ids::NodeId;
use crate::model::program::{Call, Function};

/// One candidate of one module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    callee: NodeId,
    caller: NodeId,
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
    pub(crate) outcome: ImportOutcome,
    /// It is a function with a body.
    pub(crate) is_function: bool,
}

impl Decision {
    /// A candidate that `caller` was the first to name, before anything is decided.
    pub(super) fn new(callee: NodeId, offer: &Offer) -> Self {
        Self {
            callee: callee,
            caller: offer.caller,
            threshold: offer.threshold,
            cost: 0,
            attempts: 1,
            level: offer.level,
            class: offer.class,
            pass: offer.pass,
            outcome: ImportOutcome::Undecided,
            is_function: false,
        }
    }

    /// Takes over what was judged. Another copy of the same name may be taken.
    pub(super) fn judge(&mut self, judgement: &Judgement) {
        self.cost = judgement.cost;
        self.outcome = judgement.outcome;
        self.is_function = judgement.is_function;
        self.callee = judgement.copy;
    }

    /// Another call names the candidate.
    pub(super) fn meet(&mut self) {
        self.attempts = self.attempts.saturating_add(1);
    }

    /// Takes over where a better call names the candidate.
    pub(super) fn raise(&mut self, offer: &Offer) {
        self.caller = offer.caller;
        self.threshold = offer.threshold;
        self.level = offer.level;
        self.class = offer.class;
        self.pass = offer.pass;
    }

    /// The definition.
    pub(crate) fn callee(&self) -> NodeId {
        self.callee
    }

    /// The body that names it, at its best call.
    pub(crate) fn caller(&self) -> NodeId {
        self.caller
    }

    /// Whether its body is imported.
    pub(crate) fn is_import(&self) -> bool {
        self.outcome.is_import()
    }
}

/// Where a candidate is named.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    pub(super) caller: NodeId,
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
