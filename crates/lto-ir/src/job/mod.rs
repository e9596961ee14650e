//! The PTX of a job, made from nvlink's output.
//!
//! A job's kernels come from a run of nvlink that sees the units of the plan and nothing else
//! ([`Texts::kernels`]). A symbol shared with other jobs has one definition in the program, which
//! the plan assigns to one job; the others refer to it. nvlink knows nothing of that, so the text
//! is split into symbols (`module`), shared ones become `.extern` or visible (`roles`), unreachable
//! ones are dropped (`reach`), and the rest is written in an order and under names that depend on
//! the job alone (`write`).
//!
//! nvlink changes the signature of a function if it sees all calls of it. So a function for other
//! jobs is taken from this run only if its address is taken there. Others come from a second run,
//! which keeps all functions as they are ([`Texts::whole`]), and are merged into the first
//! (`merge`).
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
mod rewrite;
mod roles;
mod write;

pub use arguments::{OPTIONS_FILE, kernels_run, whole_run};
pub use error::JobError;
pub use lacking::{lacking_functions, removed_definitions, written_variables};
pub use link::{JobInput, link};
pub use rewrite::{Texts, rewrite};

#[cfg(test)]
mod tests;
