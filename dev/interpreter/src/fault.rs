//! The error of everything here: what is wrong, and where in which PTX file.

use std::fmt;

/// Why PTX cannot be read, linked or run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Name of the PTX file; empty if no file is to blame.
    pub file: String,
    /// Line of the file, from 1; 0 if no line is to blame.
    pub line: u32,
    /// Description without a period at the end.
    pub message: String,
}

/// Result of reading, linking or running PTX.
pub type Result<T> = std::result::Result<T, Fault>;

impl Fault {
    /// Returns a fault at a line whose file is not known yet.
    pub(crate) fn at(line: u32, message: impl Into<String>) -> Self {
        Self { file: String::new(), line, message: message.into() }
    }

    /// Returns a fault without a place.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::at(0, message)
    }

    /// Names the file, and the line unless a line is named already.
    pub(crate) fn located(mut self, file: &str, line: u32) -> Self {
        file.clone_into(&mut self.file);
        if self.line == 0 {
            self.line = line;
        }
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, message } = self;
        match (file.is_empty(), line) {
            (true, _) => write!(formatter, "{message}"),
            (false, 0) => write!(formatter, "{file}: {message}"),
            (false, _) => write!(formatter, "{file}:{line}: {message}"),
        }
    }
}

impl std::error::Error for Fault {}
