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
    /// PTX of the job's own modules without optimization, whose variables are as their source says.
    pub own: Option<&'text str>,
    /// PTX of all units without optimization; needed if there are
    /// [`removed_definitions`](super::removed_definitions).
    pub plain: Option<&'text str>,
}

impl<'text> Texts<'text> {
    /// Returns the texts of a job that needs no other one.
    pub fn of_kernels(kernels: &'text str) -> Self {
        Self { kernels, whole: None, own: None, plain: None }
    }
}

/// Returns the PTX of the job of `plan`.
pub fn rewrite(
    texts: &Texts<'_>,
    plan: &LtoIrPlan,
    dynamic_shared: &[SharedAlignment],
) -> Result<String, JobError> {
    let mut module = lacking::read(texts.kernels, plan)?;
    let own = texts.own.map(|own| lacking::read(own, plan)).transpose()?;
    let mut lacking = lacking::functions(&module, own.as_ref(), plan);
    if let Some(first) = lacking.first() {
        let whole = texts.whole.ok_or_else(|| JobError::NoFunction(first.clone()))?;
        let whole = lacking::read(whole, plan)?;
        let others = lacking::removed(&module, plan).into_iter();
        let others: Vec<String> = others.filter(|name| lacking::has(&whole, name)).collect();
        lacking.extend(others);
        lacking.sort_unstable();
        lacking.dedup();
        merge::merge(&mut module, whole, &lacking, plan, merge::OF_WHOLE);
    }
    if let Some(own) = own {
        roles::check_variables(&module, &own, plan)?;
    }
    if let Some(text) = texts.plain {
        let units = lacking::read(text, plan)?;
        let mut lacking = lacking::removed(&module, plan);
        lacking.retain(|name| units.symbols.contains_key(name));
        merge::merge(&mut module, units, &lacking, plan, merge::OF_PLAIN);
    }
    roles::apply(&mut module, plan)?;
    roles::align(&mut module, dynamic_shared);
    Ok(write::write(&module, plan))
}
