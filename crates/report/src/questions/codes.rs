//! Numbers of reasons: their positions in the lists of words.

use weft_artifact::{
    CallClass, Definition, ExitReason, ImportPass, ImportRefusal, RootReason, SymbolFate,
};

/// Returns the number of a fate, and the step to the definition that it refers to.
pub(crate) fn of_fate(fate: SymbolFate) -> (u8, Option<i64>) {
    match fate {
        SymbolFate::Root(reason) => (of_root(reason), None),
        SymbolFate::Through(step) => (10, Some(step)),
        SymbolFate::CopyOf(step) => (11, Some(step)),
        SymbolFate::DeadWith(step) => (12, Some(step)),
        SymbolFate::Unreferenced => (13, None),
        SymbolFate::OnlyCopied => (14, None),
    }
}

fn of_root(reason: RootReason) -> u8 {
    match reason {
        RootReason::Used => 0,
        RootReason::Kept => 1,
        RootReason::Host => 2,
        RootReason::Named => 3,
        RootReason::Runtime => 4,
        RootReason::Unregistered => 5,
        RootReason::Registered => 6,
        RootReason::ListedByHost => 7,
        RootReason::Visible => 8,
        RootReason::NothingRemoved => 9,
    }
}

/// Returns the number of a reason against an import.
pub(crate) fn of_refusal(refusal: ImportRefusal) -> u8 {
    match refusal {
        ImportRefusal::TooLarge => 0,
        ImportRefusal::NotWorthIt => 1,
        ImportRefusal::Kernel => 2,
        ImportRefusal::NoInline => 3,
        ImportRefusal::NotImportable => 4,
        ImportRefusal::Replaceable => 5,
        ImportRefusal::NamesPinnedLocal => 6,
        ImportRefusal::CutOff => 7,
        ImportRefusal::Alias => 8,
        ImportRefusal::NotConstant => 9,
        ImportRefusal::ConstantWithReferences => 10,
        ImportRefusal::BudgetSpent => 11,
        ImportRefusal::OverCopyLimit => 12,
    }
}

/// Returns the number of a call's hotness.
pub(crate) fn of_class(class: CallClass) -> u8 {
    match class {
        CallClass::Default => 0,
        CallClass::Cold => 1,
        CallClass::Hot => 2,
        CallClass::Critical => 3,
    }
}

/// Returns the number of a pass of the import engine.
pub(crate) fn of_pass(pass: ImportPass) -> u8 {
    match pass {
        ImportPass::Direct => 0,
        ImportPass::Transitive => 1,
        ImportPass::Speculative => 2,
    }
}

/// Returns the number of a reason why a call leaves a module.
pub(crate) fn of_exit(reason: ExitReason) -> u8 {
    match reason {
        ExitReason::TooLarge => 0,
        ExitReason::NotCopyable => 1,
        ExitReason::Shared => 2,
        ExitReason::Undefined => 3,
        ExitReason::Indirect => 4,
        ExitReason::CutOff => 5,
        ExitReason::OverCopyLimit => 6,
    }
}

/// Returns the number of the definition at `step` from a module's `first` one.
pub(crate) fn at_step(first: Definition, step: i64) -> Definition {
    // Reading has checked that there is such a definition.
    u32::try_from(i64::from(first).saturating_add(step)).unwrap_or(0)
}
