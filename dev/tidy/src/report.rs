//! The outcome of a check, as it is printed.

use std::fmt;

use crate::violation::Violation;

/// Findings of every rule, and the figures that were measured on the way.
#[derive(Debug)]
pub struct Report {
    pub(crate) files: usize,
    pub(crate) errors: Vec<Violation>,
    pub(crate) metrics: Vec<(&'static str, usize)>,
}

impl Report {
    /// Tells whether no rule is violated.
    #[must_use]
    pub fn is_tidy(&self) -> bool {
        self.errors.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for violation in &self.errors {
            writeln!(formatter, "{violation}")?;
        }
        for (name, value) in &self.metrics {
            writeln!(formatter, "metric {name} {value}")?;
        }
        let Self { files, errors, .. } = self;
        match errors.len() {
            0 => writeln!(formatter, "{files} files are tidy"),
            count => writeln!(formatter, "{count} violations in {files} files"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_ends_with_the_number_of_violations() {
        let mut report = Report { files: 3, errors: Vec::new(), metrics: vec![("house.x", 4)] };
        assert!(report.is_tidy());
        assert_eq!(report.to_string(), "metric house.x 4\n3 files are tidy\n");
        let (path, message) = ("a".to_owned(), "b".to_owned());
        report.errors.push(Violation { path, line: 4, message });
        assert!(!report.is_tidy());
        assert!(report.to_string().ends_with("1 violations in 3 files\n"), "{report}");
    }
}
