//! The PTX of a job from the texts of nvlink, step by step.

use weft_artifact::{LtoIrPlan, SharedAlignment};

use super::error::JobError;
use super::{lacking, merge, roles, write};

/// PTX by nvlink for the units of a plan.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'text> {
    /// PTX of the plan's kernels and all that they reach, by a run with
    /// [`kernels_run`](super::kernels_run).
    pub kernels: &'text str,
    /// PTX of all that is visible, by a run with [`whole_run`](super::whole_run); needed if there
    /// are [`lacking_functions`](super::lacking_functions).
    pub whole: Option<&'text str>,
    /// PTX of the module itself without optimization, whose variables are as their source says.
    pub own: Option<&'text str>,
}

/// Returns the PTX of the job of `plan`.
pub fn rewrite(
    texts: &Texts<'_>,
    plan: &LtoIrPlan,
    dynamic_shared: &[SharedAlignment],
) -> Result<String, JobError> {
    let mut module = lacking::read(texts.kernels, plan)?;
    let lacking = lacking::of_module(&module, plan);
    if let Some(first) = lacking.first() {
        let whole = texts.whole.ok_or_else(|| JobError::NoFunction(first.clone()))?;
        merge::merge(&mut module, lacking::read(whole, plan)?, &lacking, plan);
    }
    if let Some(own) = texts.own {
        roles::check_variables(&module, &lacking::read(own, plan)?, plan)?;
    }
    roles::apply(&mut module, plan)?;
    roles::align(&mut module, dynamic_shared);
    Ok(write::write(&module, plan))
}
