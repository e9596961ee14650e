//! The decision about each candidate, with its reason, in 24 bytes.

use weft_artifact::Hotness;

use crate::candidates::{ImportOutcome, Judgment};

use crate::model::ids::NodeId;
use crate::model::program::{Call, Function};

/// One candidate of one module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    callee: NodeId,
    caller: NodeId,
    /// Highest cost at which the candidate is imported, at its best call.
    pub(crate) threshold: u32,
    /// Cost of a function, or bytes of a variable.
    pub(crate) cost: u32,
    /// Number of times that the candidate was met, saturating at 65535.
    pub(crate) attempts: u16,
    /// Level of calls, saturating at 255: 1 for callees of the module's own code.
    pub(crate) level: u8,
    /// Hotness of its best call.
    pub(crate) class: Class,
    /// Pass in which its best call was met.
    pub(crate) pass: Pass,
    /// Outcome.
    pub(crate) outcome: ImportOutcome,
    /// Whether the candidate is a function with a body.
    pub(crate) is_function: bool,
}

impl Decision {
    /// Returns a candidate that `caller` was the first to name, before anything is decided.
    pub(super) fn new(callee: NodeId, offer: &Offer) -> Self {
        Self {
            callee,
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

    /// Takes over a judgment, which may choose another definition of the same name.
    pub(super) fn judge(&mut self, judgment: &Judgment) {
        self.cost = judgment.cost;
        self.outcome = judgment.outcome;
        self.is_function = judgment.is_function;
        self.callee = judgment.copy;
    }

    /// Notes that another call names the candidate.
    pub(super) fn meet(&mut self) {
        self.attempts = self.attempts.saturating_add(1);
    }

    /// Takes over the facts of a better call of the candidate.
    pub(super) fn raise(&mut self, offer: &Offer) {
        self.caller = offer.caller;
        self.threshold = offer.threshold;
        self.level = offer.level;
        self.class = offer.class;
        self.pass = offer.pass;
    }

    /// Returns the definition.
    pub(crate) fn callee(&self) -> NodeId {
        self.callee
    }

    /// Returns the body that names it, at its best call.
    pub(crate) fn caller(&self) -> NodeId {
        self.caller
    }

    /// Whether its body is imported.
    pub(crate) fn is_import(&self) -> bool {
        self.outcome.is_import()
    }
}

/// A call or reference that names a candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    pub(super) caller: NodeId,
    pub(super) threshold: u32,
    pub(super) level: u8,
    pub(super) class: Class,
    pub(super) pass: Pass,
}

/// Hotness of a call, compared with others.
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
    /// Symbols that the module's own code calls or reads.
    Direct,
    /// Symbols that imported bodies call or read.
    Transitive,
    /// Possible targets of indirect calls.
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

/// Returns the class of a call. As in LLVM, only a profile determines it: how often a function is
/// entered, or which callees it should import.
pub(super) fn class(call: &Call, caller: Function<'_>) -> Class {
    match class_of(call.hotness()) {
        Class::Critical => Class::Critical,
        class if caller.flags().profiled => class,
        _ => Class::Normal,
    }
}

/// Returns the class of a call of that hotness by a profile.
pub(super) fn class_of(hotness: Hotness) -> Class {
    match hotness {
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
