//! The outcome of a check, as it is printed.

use std::fmt;

use crate::violation::Violation;

/// Findings of every rule, and the figures that were measured on the way.
#[derive(Debug, Default)]
pub struct Report {
    pub(crate) files: usize,
    pub(crate) errors: Vec<Violation>,
    /// Findings of rules that only warn, with the name of the rule, sorted.
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
        for rule in self.warnings.chunk_by(|one, other| one.0 == other.0) {
            writeln!(formatter, "the rule \"{}\" only warns: {} findings", rule[0].0, rule.len())?;
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
    fn rules_that_only_warn_are_named_and_do_not_fail() {
        let found = |line| Violation { path: "a".to_owned(), line, message: "b".to_owned() };
        let warnings = vec![("width", found(1)), ("width", found(2))];
        let mut report = Report { files: 3, warnings, ..Report::default() };
        assert!(report.is_tidy());
        let text = report.to_string();
        assert!(text.contains("warning: width: a:2: b\n"), "{text}");
        assert!(text.ends_with("\"width\" only warns: 2 findings\n3 files are tidy\n"), "{text}");
        report.errors.push(found(4));
        assert!(!report.is_tidy() && report.to_string().ends_with("1 violations in 3 files\n"));
    }
}
