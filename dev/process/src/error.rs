//! The error of all crates for development: a message and an exit code.
//!
//! Errors are only shown to a person, never handled by their kind, so there is no enum of them.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// Result of a function that can fail with [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// A message for a person, and an exit code for the caller: 2 for a wrong command line, else 1.
#[derive(Debug)]
pub struct Error {
    message: String,
    exit_code: u8,
}

impl Error {
    /// Makes the error of something that could not be done.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), exit_code: 1 }
    }

    /// Makes the error of a command line that asks for something that does not exist.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), exit_code: 2 }
    }

    /// Makes the error of a failure that has been reported already.
    pub fn reported() -> Self {
        Self::new("")
    }

    /// Returns the text to print; it is empty if the failure has been reported already.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the exit code of the process.
    pub fn exit_code(&self) -> u8 {
        self.exit_code
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// Prints the error of a program that failed, if it has a message, and returns the exit code.
pub fn ended(outcome: Result<()>) -> ExitCode {
    let Err(error) = outcome else { return ExitCode::SUCCESS };
    if !error.message().is_empty() {
        eprintln!("{error}");
    }
    ExitCode::from(error.exit_code())
}

/// Returns a function for `map_err` that adds the attempted action and its path to the system's
/// message.
pub fn while_trying(verb: &str, path: &Path) -> impl FnOnce(io::Error) -> Error {
    move |cause| Error::new(format!("cannot {verb} {}: {cause}", path.display()))
}
