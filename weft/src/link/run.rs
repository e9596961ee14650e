//! Starts the programs of a link.

use std::io;
use std::process::{ExitStatus, Output};

use weft_action::{BuildCommand, ChildGroup};
use weft_cli::{Blame as _, Fault, failure, files};

use crate::drivers::Driver;
use crate::nvcc_flags;

/// A program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// Words for people: the phase, and what it is about.
    pub(super) what: String,
    pub(super) program: String,
    pub(super) arguments: Vec<String>,
    /// Estimated work, beside that of the steps that run at the same time.
    pub(super) work: u64,
}

impl Step {
    /// Runs the program. It has said by itself what is wrong.
    pub(super) fn run(&self) -> anyhow::Result<()> {
        self.start(None, |command| Ok((command.run()?, String::new()))).map(drop)
    }

    /// Runs the program in a group and returns its messages, which are printed if it fails. What it
    /// has to say of this run alone, on standard output, is printed at once. `names` are files of
    /// the link that messages may name, with what users call them.
    pub(super) fn messages(
        &self,
        group: &ChildGroup,
        names: &[(String, String)],
    ) -> anyhow::Result<String> {
        self.start(Some(group), |command| {
            let Output { status, stdout, stderr } = command.run_with_output()?;
            files::say(&stdout);
            let messages = String::from_utf8_lossy(&stderr).into_owned();
            let with_name =
                |text: String, (file, name): &(String, String)| text.replace(file, name);
            Ok((status, names.iter().fold(messages, with_name)))
        })
    }

    fn start(
        &self,
        group: Option<&ChildGroup>,
        run: impl FnOnce(BuildCommand<'_>) -> io::Result<(ExitStatus, String)>,
    ) -> anyhow::Result<String> {
        let Self { what, program, arguments, .. } = self;
        // The words of nvcc's variables are among the arguments.
        let is_nvcc = Driver::of(program) == Driver::Nvcc;
        let without: &[&str] = if is_nvcc { &nvcc_flags::VARIABLES } else { &[] };
        let (status, messages) = run(BuildCommand { program, arguments, without, group })
            .blame(Fault::Environment, || format!("cannot start {program}"))?;
        if status.success() {
            return Ok(messages);
        }
        files::say(&messages);
        let fault = match status.code() {
            Some(2) => Fault::Usage,
            Some(3) => Fault::Input,
            Some(4) => Fault::Environment,
            _ => Fault::Tool,
        };
        Err(failure(fault, format!("{what} failed")))
    }
}
