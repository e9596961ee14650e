//! A finding of a rule.

use std::fmt;

use crate::checkout::File;

/// Something that a rule forbids. A line of 0 means the whole file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Violation {
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl Violation {
    pub(crate) fn new(file: &File, line: usize, message: impl Into<String>) -> Self {
        Self { path: file.path.clone(), line, message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.path, self.line.max(1), self.message)
    }
}

/// Returns the lines at which `text`, at `path`, is against a rule, for the rules' tests.
#[cfg(test)]
pub(crate) fn lines(rule: impl Fn(&File) -> Vec<Violation>, path: &str, text: &str) -> Vec<usize> {
    let file = File { path: path.to_owned(), text: text.to_owned() };
    rule(&file).into_iter().map(|violation| violation.line).collect()
}
