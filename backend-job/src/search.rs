//! Looks for a better way to assemble a module: in other modes of ptxas, and with register limits
//! for single kernels.
//!
//! A limit is the largest number of registers with which more warps of the kernel are resident. It
//! is kept if it lowers the kernel's cost. Optimization levels are not tried: code at a lower level
//! has fewer unrolled loops, and the costs of an unrolled and a rolled loop cannot be compared.
//!
//! Each trial is a separate action, so the cache holds it, and the same PTX leads to the same
//! choice.

use std::collections::BTreeMap;

use weft_container::{KernelResources, kernel_costs, kernel_resources};
use weft_job::{SearchReport, Trial, kernel_cost, occupancy};

use crate::assembled::Assembled;
use crate::modes::Mode;
use crate::register_limits::with_limits;

/// Smallest number of registers that a kernel is limited to.
const FEWEST_REGISTERS: u32 = 16;
/// Maximum number of times that kernels get limits.
const ROUNDS: usize = 3;
/// Cost of the first trial, of which the others' costs are shares.
const WHOLE: u128 = 1000;

/// A way to assemble the module that is possible.
struct Candidate {
    mode: Mode,
    limits: BTreeMap<String, u32>,
    assembled: Assembled,
    kernels: Vec<KernelResources>,
    /// Costs by kernel.
    costs: BTreeMap<String, u128>,
}

/// Makes a cubin of PTX in a mode; `None` if ptxas cannot.
pub(crate) type RunPtxas<'job> = dyn Fn(Mode, &[u8]) -> anyhow::Result<Option<Assembled>> + 'job;

/// Returns the best result for `ptx` on `architecture`, beginning with the one of `mode`, which was
/// `assembled` already. Only the `limitable` kernels may get register limits.
pub(crate) fn search(
    architecture: &str,
    ptx: &[u8],
    (mode, assembled): (Mode, Assembled),
    modes: &[Mode],
    limitable: Vec<String>,
    run_ptxas: &RunPtxas<'_>,
) -> anyhow::Result<Assembled> {
    let first = Candidate::new(architecture, mode, BTreeMap::new(), assembled)?;
    let base = first.costs.clone();
    let mut trials = vec![first.trial(&base, true)];
    let mut best = first;
    for &other in modes.iter().filter(|other| **other != mode) {
        let found = run_ptxas(other, ptx)?;
        let found = found.map(|found| Candidate::new(architecture, other, BTreeMap::new(), found));
        consider(&mut best, found.transpose()?, other, &base, &mut trials);
    }
    let mut open = limitable;
    for _ in 0..ROUNDS {
        let steps: BTreeMap<String, u32> = open
            .iter()
            .filter_map(|kernel| Some((kernel.clone(), best.next_limit(architecture, kernel)?)))
            .collect();
        if steps.is_empty() {
            break;
        }
        let attempt = |steps: BTreeMap<String, u32>| -> anyhow::Result<Option<Candidate>> {
            let mut limits = best.limits.clone();
            limits.extend(steps);
            let found = run_ptxas(best.mode, &with_limits(ptx, &limits))?;
            let candidate =
                found.map(|found| Candidate::new(architecture, best.mode, limits, found));
            candidate.transpose()
        };
        let Some(all) = attempt(steps.clone())? else { break };
        let mut paying = steps.clone();
        paying.retain(|kernel, _| {
            all.keeps_limit(kernel) && all.costs.get(kernel) < best.costs.get(kernel)
        });
        open = paying.keys().cloned().collect();
        if open.is_empty() {
            trials.push(all.trial(&base, false));
            break;
        }
        let limited = if paying == steps {
            Some(all)
        } else {
            trials.push(all.trial(&base, false));
            let some = attempt(paying)?;
            some.filter(|some| open.iter().all(|kernel| some.keeps_limit(kernel)))
        };
        let mode = best.mode;
        if !consider(&mut best, limited, mode, &base, &mut trials) {
            break;
        }
    }
    Ok(Assembled { search: Some(SearchReport { trials }), ..best.assembled })
}

/// Makes a candidate the `best` one if it costs less, and notes the trial.
fn consider(
    best: &mut Candidate,
    found: Option<Candidate>,
    mode: Mode,
    base: &BTreeMap<String, u128>,
    trials: &mut Vec<Trial>,
) -> bool {
    let Some(found) = found else {
        let (mode, register_limits) = (mode.name().to_owned(), BTreeMap::new());
        trials.push(Trial { mode, register_limits, cost_per_mille: None, is_better: false });
        return false;
    };
    let is_better = share(&found.costs, &best.costs).is_some_and(|share| share < WHOLE);
    trials.push(found.trial(base, is_better));
    if is_better {
        *best = found;
    }
    is_better
}

impl Candidate {
    fn new(
        architecture: &str,
        mode: Mode,
        limits: BTreeMap<String, u32>,
        assembled: Assembled,
    ) -> anyhow::Result<Self> {
        let kernels = kernel_resources(&assembled.cubin)?;
        let code = kernel_costs(&assembled.cubin)?;
        let costs = kernels.iter().map(|kernel| {
            let code = code.get(&kernel.name).copied().unwrap_or_default();
            let warps = occupancy(architecture, kernel).map(|occupancy| occupancy.warps);
            (kernel.name.clone(), kernel_cost(code.cycles, code.local, warps))
        });
        let costs = costs.collect();
        Ok(Self { mode, limits, assembled, kernels, costs })
    }

    /// Returns the largest number of registers with which more warps of a kernel are resident.
    fn next_limit(&self, architecture: &str, name: &str) -> Option<u32> {
        let kernel = self.kernels.iter().find(|kernel| kernel.name == name)?;
        let warps = |registers| {
            let limited = KernelResources { registers, ..kernel.clone() };
            Some(occupancy(architecture, &limited)?.warps)
        };
        let now = warps(kernel.registers)?;
        (FEWEST_REGISTERS..kernel.registers).rev().find(|&fewer| warps(fewer) > Some(now))
    }

    /// Whether a kernel and the functions that it calls take no more registers than its limit.
    fn keeps_limit(&self, name: &str) -> bool {
        let kernel = self.kernels.iter().find(|kernel| kernel.name == name);
        kernel.map(|kernel| kernel.registers) <= self.limits.get(name).copied()
    }

    fn trial(&self, base: &BTreeMap<String, u128>, is_better: bool) -> Trial {
        let share = share(&self.costs, base);
        Trial {
            mode: self.mode.name().to_owned(),
            register_limits: self.limits.clone(),
            cost_per_mille: share.map(|share| u64::try_from(share).unwrap_or(u64::MAX)),
            is_better,
        }
    }
}

/// Returns the mean of the kernels' costs as thousandths of the costs in `base`; `None` if the
/// kernels are not the same, or there are none.
fn share(costs: &BTreeMap<String, u128>, base: &BTreeMap<String, u128>) -> Option<u128> {
    if costs.is_empty() || !costs.keys().eq(base.keys()) {
        return None;
    }
    let shares = costs
        .values()
        .zip(base.values())
        .map(|(cost, of)| (WHOLE * WHOLE).saturating_mul(*cost) / (*of).max(1));
    // A thousand times finer than the result, so that small kernels count.
    Some((shares.sum::<u128>() / costs.len() as u128).div_ceil(WHOLE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(values: &[u128]) -> BTreeMap<String, u128> {
        values.iter().enumerate().map(|(at, cost)| (at.to_string(), *cost)).collect()
    }

    #[test]
    fn each_kernel_has_the_same_weight() {
        assert_eq!(share(&costs(&[50, 9000]), &costs(&[100, 9000])), Some(750));
        assert_eq!(share(&costs(&[100]), &costs(&[100])), Some(WHOLE));
        assert_eq!(share(&costs(&[99_999_999]), &costs(&[100_000_000])), Some(WHOLE));
        assert_eq!(share(&costs(&[1]), &costs(&[1, 1])), None);
        assert_eq!(share(&costs(&[]), &costs(&[])), None);
    }
}
