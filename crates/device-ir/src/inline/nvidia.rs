//! The rules of NVIDIA's compiler.
//!
//! The cost of a call is the data that it moves through `.param` space: the bytes that the caller
//! stores, that the callee loads and that it returns, and a copy of each field where an argument's
//! size differs from its parameter's. Instructions do not count. A callee is eligible or not before
//! any cost; then costs are charged to a budget of the caller, and to one of the module if there is
//! one.
//!
//! The rules are followed to the letter, even where they produce worse code: a large body that
//! takes few arguments is inlined wherever it is called. `gpu` starts from here.
//!
//! Linkage. The rule allows bodies that may be dropped once they are inlined: `linkonce_odr` and
//! `weak_odr`, and by the numbers 7 and 8 of LLVM's list internal and private ones. The import
//! phase has resolved linkages before: what may be dropped is internal then, and an imported body
//! is `available_externally`. All of these are eligible. A body that others see stays as a call.

use weft_artifact::Linkage;

use super::options::InlineOptions;
use super::site::{Body, Demand, Role, Site};
use super::verdict::{InlineReason, Spent, Verdict};

/// Largest product of loads and stores of a callee that is inlined.
const LARGEST_PRODUCT: u64 = 100;
/// Bonus of a callee with operations of tensor cores or of whole warps.
pub(super) const SPECIAL_BONUS: i64 = 2000;

pub(super) fn judge(site: &Site, spent: Spent, options: &InlineOptions) -> Verdict {
    if let Some(reason) = ineligible(&site.callee) {
        return Verdict::never(reason);
    }
    if let Demand::Never(words) = &site.demand {
        return Verdict::never(InlineReason::Attributes(words.clone()));
    }
    let product = site.callee.loads.saturating_mul(site.callee.stores);
    if product > LARGEST_PRODUCT {
        return Verdict::never(InlineReason::LoadsTimesStores(product));
    }
    if let Some(reason) = too_large_a_switch(&site.callee, options) {
        return Verdict::never(reason);
    }
    let cost = marshalling(site) + switches(&site.callee, options) - bonus(&site.callee);
    let budget = budget(site.caller_role, options);
    let charge = u64::try_from(cost).unwrap_or(0);
    let limit = budget.saturating_sub(spent.caller);
    let verdict = |inlines, reason, limit: u64| Verdict {
        inlines,
        reason,
        cost,
        limit: i64::try_from(limit).unwrap_or(i64::MAX),
        charge,
    };
    if let Some(total) = options.total_budget {
        let left = u64::from(total).saturating_sub(spent.module);
        if charge >= left {
            return verdict(false, InlineReason::TotalBudget, left);
        }
    }
    let reason = if limit < budget { InlineReason::CallerBudget } else { InlineReason::Cost };
    let inlines = charge < limit;
    verdict(inlines, if inlines { InlineReason::Cost } else { reason }, limit)
}

/// Reason why no cost is asked for, in the order of the rules.
fn ineligible(callee: &Body) -> Option<InlineReason> {
    if callee.name.starts_with("llvm.") {
        return Some(InlineReason::Intrinsic);
    }
    if let Some(words) = &callee.not_viable {
        return Some(InlineReason::NotAnalyzable(words.clone()));
    }
    let may_be_dropped = matches!(
        callee.linkage,
        Some(
            Linkage::LinkonceOdr
                | Linkage::WeakOdr
                | Linkage::Internal
                | Linkage::Private
                | Linkage::AvailableExternally
        )
    );
    [
        (!may_be_dropped, InlineReason::Linkage),
        (callee.is_protected, InlineReason::Protected),
        (callee.is_declaration, InlineReason::Declaration),
        (callee.no_inline, InlineReason::NoInline),
        (callee.no_optimize, InlineReason::NoOptimize),
    ]
    .into_iter()
    .find_map(|(applies, reason)| applies.then_some(reason))
}

/// Bytes and fields that the call moves through `.param` space.
pub(super) fn marshalling(site: &Site) -> i64 {
    let bytes = i64::try_from(site.marshalling.bytes).unwrap_or(i64::MAX);
    bytes.saturating_add(site.marshalling.coerced_fields.into())
}

pub(super) fn switches(callee: &Body, options: &InlineOptions) -> i64 {
    i64::from(callee.switches) * i64::from(options.switch_cost)
        + i64::from(callee.cases) * i64::from(options.switch_case_cost)
}

pub(super) fn too_large_a_switch(callee: &Body, options: &InlineOptions) -> Option<InlineReason> {
    let limit = options.largest_switch?;
    let cases = callee.largest_switch;
    (cases > limit).then_some(InlineReason::SwitchCases(cases))
}

pub(super) fn bonus(callee: &Body) -> i64 {
    if callee.special_operations > 0 { SPECIAL_BONUS } else { 0 }
}

/// Budget for inlining into one caller.
fn budget(role: Role, options: &InlineOptions) -> u64 {
    let adjusted = match role {
        Role::Kernel => options.adjusted_budget.unwrap_or(0),
        Role::Exported | Role::Imported | Role::Private => 0,
    };
    options.budget.max(adjusted).into()
}
