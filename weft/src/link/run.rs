//! Starts the programs of a link.

use weft_action::BuildCommand;
use weft_cli::{Blame as _, Fault, failure};
use weft_workers::Workers;

/// A program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// Words for people: the phase, and what it is about.
    pub(super) what: String,
    pub(super) program: String,
    pub(super) arguments: Vec<String>,
}

/// Runs steps that need nothing of each other.
pub(super) fn all(steps: &[Step], workers: &Workers) -> anyhow::Result<()> {
    workers.map(steps, Step::run).into_iter().collect()
}

impl Step {
    /// Runs the program. It has said by itself what is wrong.
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let Self { what, program, arguments } = self;
        let status = BuildCommand { program, arguments }
            .run()
            .blame(Fault::Environment, || format!("cannot start {program}"))?;
        if status.success() {
            return Ok(());
        }
        let fault = match status.code() {
            Some(2) => Fault::Usage,
            Some(3) => Fault::Input,
            Some(4) => Fault::Environment,
            _ => Fault::Tool,
        };
        Err(failure(fault, format!("{what} failed")))
    }
}
