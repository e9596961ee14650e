//! Errors that state the origin of a failure, and the exit codes of the executables.

use std::fmt;

use anyhow::Error;
use weft_action::ActionError;

/// Text about the exit codes for `--help`.
pub const EXIT_CODES: &str = "\
Exit codes: 0 done; 2 wrong command line; 3 wrong input; 4 unreadable file or missing tool; \
5 a tool failed; 6 a limit of --fail-if is passed; 70 a defect in Weft";

/// Words at the end of an error about a missing tool.
pub const DOCTOR_HINT: &str = "`weft doctor` says what is there and what is missing";

/// Origin of a failure, which decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The command line contradicts itself in a way the parser cannot see.
    Usage,
    /// An input file has a wrong content.
    Input,
    /// The machine lacks something: a file cannot be read, a tool is not there, the disk is full.
    Environment,
    /// A program that Weft started failed.
    Tool,
    /// Everything is done, and a limit that the user set for the result is passed.
    Limit,
}

impl Fault {
    fn exit_code(self) -> u8 {
        match self {
            Self::Usage => 2,
            Self::Input => 3,
            Self::Environment => 4,
            Self::Tool => 5,
            Self::Limit => 6,
        }
    }
}

/// Exit code of an error without a [`Fault`].
pub(crate) const DEFECT: u8 = 70;

/// An error with its fault. It prints as its message.
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

/// Returns an error of `fault` with the text `message`.
pub fn failure(fault: Fault, message: impl Into<String>) -> Error {
    Error::new(Marked { fault, message: message.into() })
}

/// Adds a fault and a message to other errors.
pub trait Blame<T> {
    /// Turns an error into `message: the error`, of `fault`.
    fn blame(self, fault: Fault, message: impl FnOnce() -> String) -> anyhow::Result<T>;
}

impl<T, E: Into<Error>> Blame<T> for Result<T, E> {
    fn blame(self, fault: Fault, message: impl FnOnce() -> String) -> anyhow::Result<T> {
        self.map_err(|error| error.into().context(Marked { fault, message: message() }))
    }
}

/// Returns the exit code for `error`, from the outermost fault in its chain or the failed action.
pub fn exit_code(error: &Error) -> u8 {
    let marked = error.downcast_ref::<Marked>().map(|marked| marked.fault);
    let fault = marked.or_else(|| error.downcast_ref::<ActionError>().map(fault_of_action));
    fault.map_or(DEFECT, Fault::exit_code)
}

/// Returns the fault of a failed action: of the program, or of the machine that cannot start it.
fn fault_of_action(error: &ActionError) -> Fault {
    match error {
        ActionError::Failed { .. }
        | ActionError::OutOfTime { .. }
        | ActionError::NoOutput { .. } => Fault::Tool,
        ActionError::Refused { .. } => Fault::Input,
        ActionError::Start { .. } | ActionError::Folder { .. } | ActionError::Remote { .. } => {
            Fault::Environment
        }
    }
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
