//! The record of decisions about imports, in few bytes from the start, as there are many.

use weft_artifact::{
    CallClass, ImportCall, ImportDecision, ImportPass, ImportRecord, ImportRefusal,
};

use super::decision::{Class, Decision, Pass};
use crate::candidates::ImportOutcome;
use crate::model::index::Index;

/// Encodes a module's `decisions`, which are sorted by candidate, in the memory of `room`.
pub(super) fn record<'a>(
    index: &Index<'_>,
    decisions: impl Iterator<Item = &'a Decision>,
    room: &mut Vec<u8>,
) -> ImportRecord {
    ImportRecord::of(decisions.filter_map(|decision| candidate(index, decision)), room)
}

/// Returns the record of a candidate. Its best call is known if a body of the module calls or names
/// the candidate, not if an option imports it.
fn candidate(index: &Index<'_>, decision: &Decision) -> Option<ImportDecision> {
    let is_function = decision.is_function;
    let call = (decision.caller() != decision.callee()).then(|| ImportCall {
        caller: index.number(decision.caller()),
        level: u32::from(decision.level),
        threshold: decision.threshold,
        class: match decision.class {
            Class::Cold => CallClass::Cold,
            Class::Normal => CallClass::Default,
            Class::Hot => CallClass::Hot,
            Class::Critical => CallClass::Critical,
        },
        pass: match decision.pass {
            Pass::Direct => ImportPass::Direct,
            Pass::Transitive => ImportPass::Transitive,
            Pass::Speculative => ImportPass::Speculative,
        },
    });
    let is_stuck = || {
        let function = index.function(decision.callee());
        function.is_none_or(|function| !function.flags().not_importable)
    };
    let refusal = match decision.outcome {
        ImportOutcome::Undecided => return None,
        ImportOutcome::Fits
        | ImportOutcome::Forced
        | ImportOutcome::Constant
        | ImportOutcome::Listed
        | ImportOutcome::Copied => None,
        ImportOutcome::TooLarge if is_function && decision.threshold == 0 => {
            Some(ImportRefusal::NotWorthIt)
        }
        ImportOutcome::TooLarge => Some(ImportRefusal::TooLarge),
        ImportOutcome::NoInline => Some(ImportRefusal::NoInline),
        ImportOutcome::Kernel => Some(ImportRefusal::Kernel),
        ImportOutcome::NotImportable if is_stuck() => Some(ImportRefusal::NamesPinnedLocal),
        ImportOutcome::NotImportable => Some(ImportRefusal::NotImportable),
        ImportOutcome::Interposable => Some(ImportRefusal::Replaceable),
        ImportOutcome::Alias => Some(ImportRefusal::Alias),
        ImportOutcome::NotConstant => Some(ImportRefusal::NotConstant),
        ImportOutcome::ConstantWithReferences => Some(ImportRefusal::ConstantWithReferences),
        ImportOutcome::CutOff => Some(ImportRefusal::CutOff),
        ImportOutcome::BudgetSpent => Some(ImportRefusal::BudgetSpent),
        ImportOutcome::OverCopyLimit => Some(ImportRefusal::OverCopyLimit),
    };
    let cost = if is_function { decision.cost } else { 0 };
    Some(ImportDecision { symbol: index.number(decision.callee()), cost, refusal, call })
}
