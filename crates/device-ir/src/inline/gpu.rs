//! Weft's own rules: what a call costs on a GPU, against what the caller grows by.
//!
//! NVIDIA's rules see what a call moves and not what a body is; LLVM's see the body and not the call.
//! Here the limit of a callee's growth comes from the call, and the caller's size from the budgets:
//!
//! - *Gain.* Every call saves registers around it and keeps the caller's state in the few that the
//!   calling convention leaves. On top of that a byte through `.param` space is a store and a load; an
//!   argument that points to the caller's stack keeps that array in local memory; a constant argument
//!   folds; a loop repeats all of it; operations of tensor cores and warps get NVIDIA's bonus.
//! - *Growth.* LLVM's estimate, made when the callee has had its own calls inlined and been simplified,
//!   because components of the call graph are visited callees first.
//! - *Room.* A caller grows up to a budget and no further, since the assembler's time grows faster than
//!   a function's size. A kernel gets more: everything that runs ends in one. A function that other
//!   modules see gets less: those that call it often have their own copy inlined, and what stays of it
//!   is one function, not one for every use.
//! - *Recursion.* A call within a cycle of calls pays several times, as each inlining makes the next
//!   call of the cycle.

use super::nvidia::{bonus, marshalling, switches, too_large_a_switch};
use super::options::InlineOptions;
use super::site::{Role, Site, Standing};
use super::verdict::{InlineReason, Spent, Verdict};

/// What is worth inlining for the call alone, in units of 5 for each instruction.
#[allow(non_snake_case)] fn CALL() -> i64 { tune("CALL", 1500) }
/// For each byte through `.param` space.
#[allow(non_snake_case)] fn BYTE() -> i64 { tune("BYTE", 10) }
/// For each argument that points to the caller's stack.
#[allow(non_snake_case)] fn STACK_ARGUMENT() -> i64 { tune("STACK_ARGUMENT", 2000) }
/// For each constant argument.
#[allow(non_snake_case)] fn CONSTANT_ARGUMENT() -> i64 { tune("CONSTANT_ARGUMENT", 100) }
/// How many loops around a call count.
const DEEPEST_LOOP: u32 = 2;
/// A body of this growth replaces its call without making anything larger.
#[allow(non_snake_case)] fn TRIVIAL() -> i64 { tune("TRIVIAL", 50) }
/// How much dearer recursion is.
#[allow(non_snake_case)] fn RECURSION() -> i64 { tune("RECURSION", 8) }
/// How many times the budget a kernel may grow by.

/// The part of the budget that a function gets which other modules see.


pub(super) fn judge(site: &Site, spent: Spent, options: &InlineOptions) -> Verdict {
    if let Standing::Never(words) = &site.standing {
        return Verdict::never(InlineReason::Attributes(words.clone()));
    }
    if let Some(words) = &site.callee.not_viable {
        return Verdict::never(InlineReason::NotAnalysable(words.clone()));
    }
    if let Some(reason) = too_large_a_switch(&site.callee, options) {
        return Verdict::never(reason);
    }
    let Some(growth) = site.growth else {
        return Verdict::never(InlineReason::NotAnalysable(String::new()));
    };
    let cost = cost(site, growth, options);
    let limit = gain(site);
    let charge = u64::try_from(cost).unwrap_or(0);
    let verdict = |inlines, reason| Verdict { inlines, reason, cost, limit, charge };
    if cost <= TRIVIAL() {
        return verdict(true, InlineReason::Cost);
    }
    if cost > limit {
        return verdict(false, InlineReason::Cost);
    }
    if spent.caller.saturating_add(charge) > budget(site.caller_role, options) {
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
    if site.is_recursive { cost.saturating_mul(RECURSION()) } else { cost }
}

/// The most that the caller may grow by for this call.
fn gain(site: &Site) -> i64 {
    let marshalled = marshalling(site).saturating_mul(BYTE());
    let stack = i64::from(site.stack_arguments) * STACK_ARGUMENT();
    let constants = i64::from(site.constant_arguments) * CONSTANT_ARGUMENT();
    let once = CALL().saturating_add(marshalled).saturating_add(stack + constants);
    let loops = i64::from(site.loop_depth.min(DEEPEST_LOOP));
    once.saturating_mul(1 + loops).saturating_add(bonus(&site.callee))
}

/// What may be inlined into one caller.
fn budget(role: Role, options: &InlineOptions) -> u64 {
    let budget = u64::from(options.budget);
    match role {
        Role::Kernel => match options.adjusted_budget {
            Some(adjusted) => budget.max(adjusted.into()),
            None => tune("KB",40000) as u64,
        },
        Role::Private => tune("PB",20000) as u64, Role::Imported => tune("IB",20000) as u64,
        Role::Exported => tune("EB",5000) as u64,
    }
}

fn tune(name: &str, default: i64) -> i64 {
    std::env::var("WEFT_TUNE").ok().and_then(|t| t.split(',').find_map(|x| x.strip_prefix(&format!("{name}=")).map(|v| v.parse().unwrap()))).unwrap_or(default)
}
