//! The PTX of a job, made from what nvlink says.
//!
//! A job's kernels come from a run of nvlink that sees the units of the plan and nothing else
//! ([`Texts::kernels`]). What the job shares with others has one definition in the program, which
//! the plan gives to one job: the others refer to it. nvlink knows nothing of that, so the text is
//! read by its symbols ([`module`]), shared ones become `.extern` or visible ([`roles`]), what is
//! left over is dropped ([`reach`]), and the rest is written in an order and under names that
//! follow from the job alone ([`write`]).
//!
//! nvlink changes the signature of a function that it sees all calls of. So a function for other
//! jobs is taken from this run only if its address is taken there. Others come from a second run,
//! which keeps all functions as they are ([`Texts::whole`]), and are merged into the first
//! ([`merge`]).
//!
//! *Invariant*: the text of a function depends on the function, on what it names and on the plan,
//! and on nothing else in the job's units.

mod arguments;
mod body;
mod error;
mod lacking;
mod link;
mod merge;
mod module;
mod reach;
mod roles;
mod write;

pub use arguments::{OPTIONS_FILE, kernels_run, whole_run};
pub use error::JobError;
pub use lacking::{lacking_functions, written_variables};
pub use link::{JobInput, link};
use weft_artifact::{LtoIrPlan, SharedAlignment};

/// PTX by nvlink for the units of a plan.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'text> {
    /// PTX of the plan's kernels and all that they reach, by a run with [`kernels_run`].
    pub kernels: &'text str,
    /// PTX of all that is visible, by a run with [`whole_run`]; needed if there are
    /// [`lacking_functions`].
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

#[cfg(test)]
mod tests;
