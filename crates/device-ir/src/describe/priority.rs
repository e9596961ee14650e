//! Import priority of a function, and its importance by its profile.

use weft_artifact::{FunctionFlags, FunctionSummary, ImportPriority, Linkage};

use crate::analyses::ProfileFacts;
use crate::handles::Function;

/// Another way to assign import priorities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PriorityOverride {
    /// Each function has the priority that its facts give.
    #[default]
    Normal,
    /// Everything that can be imported is wanted: no function that could be is `Never` or `Low`.
    All,
    /// Functions of which other units hold copies (linkonce, weak, in a comdat) are `Low`, also
    /// those that would be `Force`.
    Conservative,
}

pub(super) fn of(
    function: Function<'_>,
    flags: FunctionFlags,
    profile: ProfileFacts,
    priority_override: PriorityOverride,
) -> ImportPriority {
    let linkage = function.linkage();
    let movable = !flags.kernel
        && !flags.not_importable
        && !flags.has_non_importable_references
        && !linkage.is_interposable()
        && linkage != Linkage::AvailableExternally;
    if !movable {
        return ImportPriority::Never;
    }
    let has_copies = linkage.is_merged() || function.comdat() != weft_artifact::Comdat::None;
    if priority_override == PriorityOverride::Conservative && has_copies {
        return ImportPriority::Low;
    }
    if flags.always_inline || profile.is_hot {
        return ImportPriority::Force;
    }
    let gains_little = flags.no_inline || function.has_attribute("cold");
    match priority_override {
        PriorityOverride::All => ImportPriority::Standard,
        _ if gains_little => ImportPriority::Low,
        _ => ImportPriority::Standard,
    }
}

/// Computes [`FunctionSummary::complexity_budget`]. A function without a profile has no entries.
pub(super) fn budget(profile: ProfileFacts) -> u32 {
    let ratio = (u128::from(profile.entry_count) << 8) / u128::from(profile.hot_threshold.max(1));
    u32::try_from(ratio).unwrap_or(u32::MAX).min(FunctionSummary::LARGEST_BUDGET)
}
