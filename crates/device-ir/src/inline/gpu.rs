//! Weft's own rules: the cost of a call on a GPU, against the growth of its caller.
//!
//! NVIDIA's rules see the bytes that a call moves and not the body; LLVM's see the body and not the
//! call. Here the limit of a callee's growth comes from the call, and the caller's size from the
//! budgets:
//!
//! - *Gain.* Every call saves registers around it and keeps the caller's state in the few that the
//!   calling convention leaves. On top of that a byte through `.param` space is a store and a load;
//!   an argument that points to the caller's stack keeps that array in local memory; a constant
//!   argument folds; a loop repeats all of it; operations of tensor cores and warps get NVIDIA's
//!   bonus, and a body that has one call and is gone afterwards gets LLVM's.
//! - *Growth.* LLVM's estimate, made when the callee has had its own calls inlined and been
//!   simplified, because components of the call graph are visited callees first.
//! - *Room.* A caller grows up to a budget and no further, since the assembler's time grows faster
//!   than a function's size. A kernel gets more, and may spend it on a single call: everything that
//!   runs ends in a kernel, and one call left in it costs it the registers of all that is called,
//!   and a stack. On LightGBM's kernels a limit for each call cost 14% of the registers, and on 33
//!   units with calls seven levels deep a quarter of the room cost two and a half times the stack.
//!   Functions that other modules can import get little room, in their own module and in importers:
//!   kernels inline them from the top, and the code that remains of them in their own module is
//!   rarely called. On 33 units with calls six levels deep that took a quarter off the time of LLVM
//!   and ptxas, and no register was lost. A function too large to be imported is called, so it gets
//!   the whole budget.
//! - *Feedback.* Results of earlier builds may give a kernel another share of its room, by an
//!   attribute that the import phase writes.
//! - *Recursion.* A call within a cycle of calls pays several times, as each inlining makes the
//!   next call of the cycle.

use weft_artifact::inline_budget::{EXPORTED_PART, KERNEL_BUDGETS, OFTEN_IMPORTED, TRIVIAL_GROWTH};

use super::nvidia::{bonus, marshalling, switches, too_large_a_switch};
use super::options::InlineOptions;
use super::site::{Demand, Role, Site};
use super::verdict::{InlineReason, Spent, Verdict};

/// Growth that saving a call alone is worth, 5 for each instruction.
const CALL: i64 = 1500;
/// Growth that each byte through `.param` space is worth.
const BYTE: i64 = 10;
/// Growth that each argument that points to the caller's stack is worth.
const STACK_ARGUMENT: i64 = 2000;
/// Growth that each constant argument is worth.
const CONSTANT_ARGUMENT: i64 = 100;
/// Growth that the only call of a body is worth: code moves and does not grow.
const ONLY_CALL: i64 = 15_000;
/// Number of loops around a call that count.
const DEEPEST_LOOP: u32 = 2;
/// Divisor of the budget that an imported body gets.
const IMPORTED_PART: u64 = 64;

pub(super) fn judge(site: &Site, spent: Spent, options: &InlineOptions) -> Verdict {
    if let Demand::Never(words) = &site.demand {
        return Verdict::never(InlineReason::Attributes(words.clone()));
    }
    if let Some(words) = &site.callee.not_viable {
        return Verdict::never(InlineReason::NotAnalyzable(words.clone()));
    }
    if let Some(reason) = too_large_a_switch(&site.callee, options) {
        return Verdict::never(reason);
    }
    let Some(growth) = site.growth else {
        return Verdict::never(InlineReason::NotAnalyzable(String::new()));
    };
    let cost = cost(site, growth, options);
    let room = budget(site, options);
    let limit = match site.caller_role {
        Role::Kernel => gain(site).max(i64::try_from(room).unwrap_or(i64::MAX)),
        Role::Exported | Role::Imported | Role::Private => gain(site),
    };
    let charge = u64::try_from(cost).unwrap_or(0);
    let verdict = |inlines, reason| Verdict { inlines, reason, cost, limit, charge };
    if cost <= TRIVIAL_GROWTH.into() {
        return verdict(true, InlineReason::Cost);
    }
    if cost > limit {
        return verdict(false, InlineReason::Cost);
    }
    if spent.caller.saturating_add(charge) > room {
        return verdict(false, InlineReason::CallerBudget);
    }
    match options.total_budget {
        Some(total) if spent.module.saturating_add(charge) > total.into() => {
            verdict(false, InlineReason::TotalBudget)
        }
        _ => verdict(true, InlineReason::Cost),
    }
}

fn cost(site: &Site, growth: i64, options: &InlineOptions) -> i64 {
    let cost = growth.saturating_add(switches(&site.callee, options));
    if site.is_recursive { cost.saturating_mul(options.recursion.into()) } else { cost }
}

/// The most that the caller may grow by for this call.
fn gain(site: &Site) -> i64 {
    let marshalled = marshalling(site).saturating_mul(BYTE);
    let stack = i64::from(site.stack_arguments) * STACK_ARGUMENT;
    let constants = i64::from(site.constant_arguments) * CONSTANT_ARGUMENT;
    let once = CALL.saturating_add(marshalled).saturating_add(stack + constants);
    let loops = i64::from(site.loop_depth.min(DEEPEST_LOOP));
    let only = if site.is_only_call { ONLY_CALL } else { 0 };
    once.saturating_mul(1 + loops).saturating_add(bonus(&site.callee) + only)
}

/// Budget for growth of the caller.
fn budget(site: &Site, options: &InlineOptions) -> u64 {
    let budget = u64::from(options.budget);
    match site.caller_role {
        Role::Kernel => {
            let whole = match options.adjusted_budget {
                Some(adjusted) => budget.max(adjusted.into()),
                None => budget * u64::from(KERNEL_BUDGETS),
            };
            whole * u64::from(site.caller_percent.unwrap_or(100)) / 100
        }
        Role::Exported if site.caller_instructions <= OFTEN_IMPORTED => {
            budget / u64::from(EXPORTED_PART)
        }
        Role::Exported | Role::Private => budget,
        Role::Imported => budget / IMPORTED_PART,
    }
}
