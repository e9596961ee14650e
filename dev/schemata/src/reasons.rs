//! Reasons why mutants that no test catches are harmless, or why no test looks for them.

use dev_process::{Error, Result};

/// The list, relative to the root of the workspace.
pub(crate) const FILE: &str = "dev/schemata/reasons.txt";

/// A reason, and the mutants that it is for.
#[derive(Debug, PartialEq, Eq)]
struct Reason<'list> {
    /// File and a part of the rest of the name, which has no line: lines move.
    mutants: Vec<(&'list str, &'list str)>,
    text: &'list str,
}

/// All reasons.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Reasons<'list>(Vec<Reason<'list>>);

impl<'list> Reasons<'list> {
    /// Reads a list. A line names mutants, by their file and a part of the rest of their names, and
    /// an indented line is the reason for those of the lines before it.
    pub(crate) fn read(list: &'list str) -> Result<Self> {
        let mut reasons = Vec::new();
        let mut mutants = Vec::new();
        for (number, line) in (1..).zip(list.lines()) {
            let wrong = || Error::new(format!("{FILE}:{number}: {line}"));
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match line.strip_prefix("  ") {
                Some(_) if mutants.is_empty() => return Err(wrong()),
                Some(text) => {
                    reasons.push(Reason { mutants: std::mem::take(&mut mutants), text });
                }
                None => mutants.push(line.split_once(' ').ok_or_else(wrong)?),
            }
        }
        if mutants.is_empty() {
            Ok(Self(reasons))
        } else {
            Err(Error::new(format!("{FILE}: the last line is no reason")))
        }
    }

    /// Returns the reason for the mutant with this name, which begins with a file.
    pub(crate) fn of(&self, name: &str) -> Option<&'list str> {
        let (file, rest) = name.split_once(':')?;
        let is_it = |(of, part): &(&str, &str)| *of == file && rest.contains(part);
        Some(self.0.iter().find(|reason| reason.mutants.iter().any(is_it))?.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_for_the_mutants_before_it() {
        let list = "# Title\n\na.rs in Index::fetch\nb.rs replace + with *\n  Speed.\n\n\
                    a.rs with_room\n  Room.\n";
        let reasons = Reasons::read(list).unwrap();
        assert_eq!(reasons.of("a.rs:3:4: replace < with > in Index::fetch"), Some("Speed."));
        assert_eq!(reasons.of("b.rs:3:4: replace + with * in f"), Some("Speed."));
        assert_eq!(reasons.of("a.rs:9:1: replace with_room -> u8 with 1"), Some("Room."));
        assert_eq!(reasons.of("a.rs:3:4: replace + with * in f"), None);
        assert_eq!(reasons.of("c.rs:3:4: replace < with > in Index::fetch"), None);
    }

    #[test]
    fn a_list_without_sense_names_the_line() {
        for (list, expected) in [
            ("  Reason.\n", "reasons.txt:1"),
            ("a.rs f\n  Reason.\n  More.\n", "reasons.txt:3"),
            ("a.rs\n  Reason.\n", "reasons.txt:1"),
            ("a.rs f\n", "the last line"),
        ] {
            let error = Reasons::read(list).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
