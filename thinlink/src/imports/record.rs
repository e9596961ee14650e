//! Decisions as they are recorded for who asks later: in few bytes at once, as there are many.

use weft_artifact::{
    CallClass, ImportCall, ImportDecision, ImportPass, ImportRecord, ImportRefusal,
};

use super::decision::{Class, Decision, Pass, Verdict};
use crate::index::Index;

/// The record of a module's `decisions`, which are sorted by candidate. It is put together in `room`.
pub(super) fn record<'a>(
    index: &Index<'_>,
    decisions: impl Iterator<Item = &'a Decision>,
    room: &mut Vec<u8>,
) -> ImportRecord {
    ImportRecord::of(decisions.filter_map(|decision| candidate(index, decision)), room)
}

/// What is recorded of a candidate for import. Which call was the best is known of those that a body
/// of the module calls or names, not of those that an option imports.
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
    let refusal = match decision.verdict {
        Verdict::Undecided => return None,
        Verdict::Fits | Verdict::Forced | Verdict::Constant | Verdict::Listed | Verdict::Copied => {
            None
        }
        Verdict::TooLarge if is_function && decision.threshold == 0 => {
            Some(ImportRefusal::NotWorthIt)
        }
        Verdict::TooLarge => Some(ImportRefusal::TooLarge),
        Verdict::NoInline => Some(ImportRefusal::NoInline),
        Verdict::Kernel => Some(ImportRefusal::Kernel),
        Verdict::NotImportable if is_stuck() => Some(ImportRefusal::NamesPinnedLocal),
        Verdict::NotImportable => Some(ImportRefusal::NotImportable),
        Verdict::Interposable => Some(ImportRefusal::Replaceable),
        Verdict::Alias => Some(ImportRefusal::Alias),
        Verdict::NotConstant => Some(ImportRefusal::NotConstant),
        Verdict::ConstantWithReferences => Some(ImportRefusal::ConstantWithReferences),
        Verdict::CutOff => Some(ImportRefusal::CutOff),
        Verdict::BudgetSpent => Some(ImportRefusal::BudgetSpent),
    };
    let cost = if is_function { decision.cost } else { 0 };
    Some(ImportDecision { symbol: index.number(decision.callee()), cost, refusal, call })
}
