//! What the command lines of the three executables share, so that they fail and print alike.
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | done; every output is written |
//! | 2 | the command line is wrong |
//! | 3 | an input is wrong: the message names the file and the fault |
//! | 4 | the environment is wrong: a file cannot be read or written, a tool is missing |
//! | 5 | a tool that Weft started failed: its own words follow |
//! | 70 | a defect in Weft |
//!
//! No failure leaves a file that is written in part.

// Both panic, which counts as a defect, where nobody reads the output any more: see `files::print`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod declared;
mod environment;
mod execution;
pub mod files;
pub mod optional_values;
mod output_place;
mod remote;
mod settings_file;

use std::ffi::OsString;
use std::fmt;
use std::process::ExitCode;

use anyhow::Error;
use clap::{Args, CommandFactory, Parser};
use clap_complete::Shell;

pub use declared::Declared;
pub use environment::is_read as is_variable_read;
pub use execution::{CacheArguments, ExecutionArguments};
use weft_action::ActionError;

/// The exit codes, as `--help` shows them.
pub const EXIT_CODES: &str = "\
Exit codes: 0 done; 2 wrong command line; 3 wrong input; 4 unreadable file or missing tool; \
5 a tool failed; 70 a defect in Weft";

/// Options that every executable has.
#[derive(Args, Clone, Debug)]
pub struct CommonArguments {
    /// Print a completion script for the shell and do nothing else
    #[arg(long, value_name = "SHELL", value_enum)]
    completion: Option<Shell>,
}

/// Whose fault a failure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The command line contradicts itself in a way the parser cannot see.
    Usage,
    /// A file given as input is not what it should be.
    Input,
    /// The machine lacks something: a file cannot be read, a tool is not there, the disk is full.
    Environment,
    /// A program that Weft started failed.
    Tool,
}

impl Fault {
    fn exit_code(self) -> u8 {
        match self {
            Self::Usage => 2,
            Self::Input => 3,
            Self::Environment => 4,
            Self::Tool => 5,
        }
    }
}

/// Exit code of an error that nobody assigned to a [`Fault`].
const DEFECT: u8 = 70;

/// Marks an error with its fault. It prints as the message it carries.
#[derive(Debug)]
struct Marked {
    fault: Fault,
    message: String,
}

impl fmt::Display for Marked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Marked {}

/// An error of `fault` that says `message`.
pub fn failure(fault: Fault, message: impl Into<String>) -> Error {
    Error::new(Marked { fault, message: message.into() })
}

/// Adds a fault and a message to the errors of others.
pub trait Blame<T> {
    /// On an error: `message: the error`, to be reported as `fault`.
    fn blame(self, fault: Fault, message: impl FnOnce() -> String) -> anyhow::Result<T>;
}

impl<T, E: Into<Error>> Blame<T> for Result<T, E> {
    fn blame(self, fault: Fault, message: impl FnOnce() -> String) -> anyhow::Result<T> {
        self.map_err(|error| error.into().context(Marked { fault, message: message() }))
    }
}

/// The whole of an executable's `main`: reads the command line, answers `--completion SHELL`, runs,
/// prints what went wrong in one place, and picks the exit code.
pub fn main<A: Parser + CommandFactory>(run: impl FnOnce(A) -> anyhow::Result<()>) -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    weft_action::serve_as_supervisor(&arguments);
    std::panic::set_hook(Box::new(|defect| {
        files::say(format!("{}: defect: {defect}\n", A::command().get_name()));
        std::process::exit(DEFECT.into());
    }));
    if let Some(shell) = requested_completion(&arguments) {
        let mut command = A::command();
        let name = command.get_name().to_owned();
        // clap_complete panics where nobody reads standard output, so it writes into memory.
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut command, name, &mut script);
        return ended::<A>(files::print(&script));
    }
    ended::<A>(run(A::parse_from(arguments)))
}

/// Prints what went wrong, and gives the exit code.
fn ended<A: CommandFactory>(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            files::say(format!("{}: error: {error:#}\n", A::command().get_name()));
            ExitCode::from(exit_code(&error))
        }
    }
}

/// The exit code for `error`: of the outermost fault in its chain, or of the action that failed.
pub fn exit_code(error: &Error) -> u8 {
    let marked = error.downcast_ref::<Marked>().map(|it| it.fault);
    let fault = marked.or_else(|| error.downcast_ref::<ActionError>().map(fault_of_action));
    fault.map_or(DEFECT, Fault::exit_code)
}

/// A program that fails and one that cannot be started are told apart.
fn fault_of_action(error: &ActionError) -> Fault {
    match error {
        ActionError::Failed { .. }
        | ActionError::OutOfTime { .. }
        | ActionError::NoOutput { .. } => Fault::Tool,
        ActionError::Start { .. } | ActionError::Folder { .. } | ActionError::Remote { .. } => {
            Fault::Environment
        }
    }
}

/// `--completion SHELL` is answered before anything else is required of the command line.
fn requested_completion(arguments: &[OsString]) -> Option<Shell> {
    let position = arguments.iter().position(|argument| argument == "--completion")?;
    arguments.get(position + 1)?.to_str()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outermost_fault_decides_the_exit_code() {
        let inner: Result<(), _> = Err(failure(Fault::Input, "b.o: truncated"));
        let outer = inner.blame(Fault::Environment, || "reading inputs".to_owned());
        let error = outer.err().unwrap_or_else(|| Error::msg("no error"));
        assert_eq!(exit_code(&error), 4);
        assert_eq!(format!("{error:#}"), "reading inputs: b.o: truncated");
        assert_eq!(exit_code(&Error::msg("unforeseen")), DEFECT);
        let described = failure(Fault::Tool, "ptxas").context("kernel k");
        assert_eq!(exit_code(&described), 5);
    }
}
