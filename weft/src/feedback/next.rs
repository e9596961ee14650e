//! The choice of the next build of a kernel.
//!
//! The kernel is first built as the models choose. Problems in the figures of that build lead to at
//! most three other choices, in this order:
//!
//! - Registers limit the resident warps to less than half of what the machine holds: a register
//!   limit that gives a quarter more warps, if it takes away at most a quarter of the registers.
//! - Calls of the program's functions are left: four times the inlining budget.
//! - Local memory is accessed, or registers limit the warps as above: the budget for half of the
//!   code that the kernel has now, so calls instead of bodies.
//!
//! Each is built once, one after the other. Then the choice of the lowest cost is kept, or the
//! first one built among equals, so nothing changes without a gain. After a first build and three
//! others every kernel has its choice: a fourth round builds it and finds nothing to change.

use weft_artifact::inline_budget::{INLINE_BUDGET, KERNEL_BUDGETS, UNITS_PER_INSTRUCTION};
use weft_artifact::{KernelChoice, KernelTrial};
use weft_container::KernelResources;
use weft_job::occupancy;

use super::cost::cost;

/// The most choices that are built of one kernel.
const MOST_TRIALS: usize = 4;
/// Shares of the budget in percent: for more inlining, and at most for less.
const MORE: u32 = 400;
const AT_MOST_FEWER: u32 = 50;
/// The budget of a kernel in instructions.
const BUDGET: u32 = KERNEL_BUDGETS * INLINE_BUDGET / UNITS_PER_INSTRUCTION;
/// The fewest registers that a limit states.
const FEWEST_REGISTERS: u32 = 32;

/// Returns the choice of the next build. `resources` are those of the kernel by its last build. If
/// `is_last`, nothing new is tried.
pub(super) fn next(
    tried: &[KernelTrial],
    architecture: &str,
    resources: &KernelResources,
    is_last: bool,
) -> KernelChoice {
    let best = best(tried);
    if is_last || tried.len() >= MOST_TRIALS {
        return best;
    }
    let is_new = |choice: &KernelChoice| tried.iter().all(|trial| trial.choice != *choice);
    let Some(first) = tried.iter().find(|trial| trial.choice.is_default()) else {
        return KernelChoice::default();
    };
    candidates(first, architecture, resources).into_iter().find(is_new).unwrap_or(best)
}

/// Returns the choice of the lowest cost that was built.
pub(super) fn best(tried: &[KernelTrial]) -> KernelChoice {
    let best = tried.iter().min_by_key(|trial| cost(trial));
    best.map_or_else(KernelChoice::default, |trial| trial.choice)
}

/// Returns the choices that the figures `first` of the models' own build lead to.
pub(super) fn candidates(
    first: &KernelTrial,
    architecture: &str,
    resources: &KernelResources,
) -> Vec<KernelChoice> {
    let with = |registers| KernelResources { registers, ..resources.clone() };
    let warps = |registers| occupancy(architecture, &with(registers));
    let now = warps(first.registers);
    let loses_warps = now
        .as_ref()
        .is_some_and(|now| now.limited_by == "registers" && 2 * now.warps < now.of_warps);
    let mut candidates = Vec::new();
    if let Some(now) = now.filter(|_| loses_warps) {
        let fewest = (first.registers * 3).div_ceil(4).max(FEWEST_REGISTERS);
        // Warps get registers in multiples of eight for each thread.
        let steps = (fewest..first.registers).rev().filter(|limit| limit % 8 == 0);
        let limit = steps
            .into_iter()
            .find(|limit| warps(*limit).is_some_and(|other| 4 * other.warps >= 5 * now.warps));
        candidates.extend(
            limit.map(|limit| KernelChoice {
                max_registers: Some(limit),
                ..KernelChoice::default()
            }),
        );
    }
    let inlining =
        |percent| KernelChoice { inline_percent: Some(percent), ..KernelChoice::default() };
    let half = first.instructions.saturating_mul(50) / u64::from(BUDGET);
    let fewer = u32::try_from(half).unwrap_or(u32::MAX).min(AT_MOST_FEWER);
    candidates.extend((first.functions > 0).then(|| inlining(MORE)));
    candidates.extend((first.local > 0 || loses_warps).then(|| inlining(fewer)));
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: KernelChoice = KernelChoice { inline_percent: None, max_registers: Some(128) };
    const MANY: KernelChoice = KernelChoice { inline_percent: Some(MORE), max_registers: None };
    const FEW: KernelChoice = KernelChoice { inline_percent: Some(10), max_registers: None };

    fn trial(choice: KernelChoice, cycles: u64) -> KernelTrial {
        let instructions = 6_400;
        let first =
            KernelTrial { registers: 160, local: 9, functions: 1, ..KernelTrial::default() };
        KernelTrial { choice, instructions, cycles, ..first }
    }

    fn resources(threads: u32) -> KernelResources {
        KernelResources { max_threads: Some(threads), ..KernelResources::default() }
    }

    fn after(tried: &[KernelTrial]) -> KernelChoice {
        next(tried, "sm_90", &resources(256), false)
    }

    #[test]
    fn each_complaint_leads_to_a_choice() {
        let of = |local, functions, registers, threads| {
            let first = KernelTrial { local, functions, registers, ..trial(MANY, 1) };
            candidates(&first, "sm_90", &resources(threads))
        };
        assert_eq!(of(0, 0, 64, 256), []);
        assert_eq!(of(0, 1, 64, 256), [MANY]);
        assert_eq!(of(1, 0, 64, 256), [FEW]);
        assert_eq!(of(0, 0, 160, 256), [LIMIT, FEW]);
        assert_eq!(of(1, 1, 160, 256), [LIMIT, MANY, FEW]);
        // More than a quarter of the registers would have to go.
        assert_eq!(of(0, 0, 128, 512), [FEW]);
        let huge = KernelTrial { instructions: u64::MAX, local: 1, ..KernelTrial::default() };
        let half = KernelChoice { inline_percent: Some(50), max_registers: None };
        assert_eq!(candidates(&huge, "sm_90", &resources(256)), [half]);
        assert_eq!(candidates(&trial(FEW, 1), "sm_107", &resources(256)), [MANY, FEW]);
    }

    #[test]
    fn each_choice_is_built_once_and_the_best_stays() {
        let default = KernelChoice::default();
        let mut tried = Vec::new();
        for expected in [default, LIMIT, MANY, FEW] {
            assert_eq!(after(&tried), expected);
            let cycles = if expected == MANY { 50 } else { 100 };
            tried.push(trial(expected, cycles));
        }
        assert_eq!(after(&tried), MANY);
        tried[2] = trial(MANY, 100);
        assert_eq!(after(&tried), default, "without a gain nothing changes");
        assert_eq!(next(&tried[..2], "sm_90", &resources(256), true), default);
        assert_eq!(next(&tried[1..3], "sm_90", &resources(256), false), default);
    }
}
