//! The one error of the task runner: what to print and how to exit.
//!
//! Nothing here is handled by its kind, only shown to a person, so an enum would have no reader.

use std::fmt;
use std::io;
use std::path::Path;

/// The result of everything in this crate that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// A message for a person, and an exit code for the caller: 2 for a wrong command line, else 1.
#[derive(Debug)]
pub struct Error {
    message: String,
    exit_code: u8,
}

impl Error {
    /// Something could not be done.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), exit_code: 1 }
    }

    /// The command line asks for something that does not exist.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), exit_code: 2 }
    }

    /// A failure whose report has been printed already.
    pub fn reported() -> Self {
        Self::new("")
    }

    /// The text to print; empty when it has been printed already.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The exit code of the process.
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

/// For `map_err`: says what was tried on which path, and the system's answer.
pub fn while_trying(verb: &str, path: &Path) -> impl FnOnce(io::Error) -> Error {
    move |cause| Error::new(format!("cannot {verb} {}: {cause}", path.display()))
}
