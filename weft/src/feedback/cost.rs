//! The cost of a kernel as it was built once.

use weft_artifact::KernelTrial;
use weft_job::kernel_cost;

/// Returns the cost of a kernel, in thousandths of a cycle.
pub(super) fn cost(trial: &KernelTrial) -> u128 {
    kernel_cost(trial.cycles, trial.local, trial.warps)
}
