//! The outcome of a check, as it is printed.

use std::fmt;

use crate::violation::Violation;

/// Findings of every rule, and the figures that were measured on the way.
#[derive(Debug, Default)]
pub struct Report {
    pub(crate) files: usize,
    pub(crate) errors: Vec<Violation>,
    /// Findings of rules that only warn, with the name of the rule.
    pub(crate) warnings: Vec<(&'static str, Violation)>,
    pub(crate) metrics: Vec<(&'static str, usize)>,
}

impl Report {
    /// Tells whether no rule that must hold is violated.
    #[must_use]
    pub fn is_tidy(&self) -> bool {
        self.errors.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (rule, violation) in &self.warnings {
            writeln!(formatter, "warning: {rule}: {violation}")?;
        }
        for violation in &self.errors {
            writeln!(formatter, "{violation}")?;
        }
        for (name, value) in &self.metrics {
            writeln!(formatter, "metric {name} {value}")?;
        }
        let Self { files, errors, warnings, .. } = self;
        if !warnings.is_empty() {
            writeln!(formatter, "{} warnings in {files} files", warnings.len())?;
        }
        match errors.len() {
            0 => writeln!(formatter, "{files} files are tidy"),
            count => writeln!(formatter, "{count} violations in {files} files"),
        }
    }
}
