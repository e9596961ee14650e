//! The table of causes and remedies.
//!
//! A row is a line with the name of a type or the path of a file, and for a type the exit code of
//! its errors, followed by two lines: the cause, and the remedy. For each error that no input can
//! reach a line follows with `unreachable`, the beginning of its text in backticks, and the reason.
//! The first line of the table states how many other errors have no test, which may become fewer
//! only.

use std::path::Path;

use dev_process::{Error, Result};

use crate::proof::Row;
use crate::sources;

/// Path of the table in the checkout.
const TABLE: &str = "dev/errors/table.txt";

/// The table.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// Number of errors that no test reaches.
    untested: usize,
    pub(crate) origins: Vec<Origin>,
}

/// Cause and remedy of the errors of one type or one file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) name: String,
    /// Exit code of the errors, if their own places do not say it.
    pub(crate) code: Option<String>,
    pub(crate) cause: String,
    pub(crate) remedy: String,
    /// Beginnings of the errors that no input can reach, with the reasons.
    pub(crate) unreachable: Vec<(String, String)>,
}

impl Origin {
    /// Returns why no input can reach an error, if none can.
    pub(crate) fn why_unreachable(&self, text: &str) -> Option<&str> {
        let mut reasons = self.unreachable.iter();
        reasons.find(|(start, _)| text.starts_with(start)).map(|(_, reason)| reason.as_str())
    }
}

/// Reads the text of a table.
fn read_table(text: &str) -> Result<Table> {
    let mut lines =
        text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).peekable();
    let wrong = |line: &str| Error::new(format!("{TABLE}: what is {line:?}"));
    let first = lines.next().unwrap_or_default();
    let untested = first.strip_prefix("untested ").and_then(|number| number.parse().ok());
    let mut table = Table { untested: untested.ok_or_else(|| wrong(first))?, origins: Vec::new() };
    while let Some(head) = lines.next() {
        let (name, code) =
            head.split_once(' ').map_or((head, None), |(name, code)| (name, Some(code)));
        let (name, code) = (name.to_owned(), code.map(str::to_owned));
        let mut line = |start: &str| {
            let line = lines.next().unwrap_or_default();
            line.strip_prefix(start).map(str::to_owned).ok_or_else(|| wrong(line))
        };
        let (cause, remedy) = (line("  cause ")?, line("  remedy ")?);
        let mut unreachable = Vec::new();
        while let Some(line) = lines.next_if(|line| line.starts_with("  unreachable")) {
            let rest = line.strip_prefix("  unreachable `").ok_or_else(|| wrong(line))?;
            let (start, reason) = rest.split_once("` ").ok_or_else(|| wrong(line))?;
            unreachable.push((start.to_owned(), reason.to_owned()));
        }
        table.origins.push(Origin { name, code, cause, remedy, unreachable });
    }
    Ok(table)
}

/// Reads the table of the checkout at `root`.
pub(crate) fn read(root: &Path) -> Result<Table> {
    read_table(&sources::read(&root.join(TABLE))?)
}

impl Table {
    /// Returns the row of a type or a file.
    pub(crate) fn origin(&self, name: &str) -> Option<&Origin> {
        self.origins.iter().find(|origin| origin.name == name)
    }

    /// Whether the table says why no input can reach an error.
    pub(crate) fn excuses(&self, row: &Row) -> bool {
        let origin = self.origin(&row.message.origin);
        origin.is_some_and(|origin| origin.why_unreachable(&row.message.text).is_some())
    }

    /// Returns what is wrong with the table: origins of errors without a row, rows without errors,
    /// errors that are said to be unreachable and are none or have a test, and more errors without
    /// a test than before.
    pub(crate) fn faults(&self, rows: &[Row]) -> Vec<String> {
        let mut faults = Vec::new();
        let mut unknown: Vec<&str> = rows
            .iter()
            .map(|row| row.message.origin.as_str())
            .filter(|origin| self.origin(origin).is_none())
            .collect();
        unknown.dedup();
        faults.extend(unknown.iter().map(|name| format!("{TABLE}: {name} has no row")));
        for origin in &self.origins {
            let mut of = rows.iter().filter(|row| row.message.origin == origin.name).peekable();
            if of.peek().is_none() {
                faults.push(format!("{TABLE}: {} has no error", origin.name));
            }
            if origin.code.is_none() && of.any(|row| row.message.code.is_none()) {
                faults.push(format!("{TABLE}: {} has no exit code", origin.name));
            }
            for (start, _) in &origin.unreachable {
                let is_meant = |row: &&Row| {
                    row.message.origin == origin.name && row.message.text.starts_with(start)
                };
                let name = &origin.name;
                match rows.iter().find(is_meant) {
                    None => faults.push(format!("{TABLE}: {name} has no error {start:?}")),
                    Some(row) if row.test.is_some() => {
                        faults.push(format!("{TABLE}: a test reaches {start:?} of {name}"));
                    }
                    Some(_) => {}
                }
            }
        }
        let untested = rows.iter().filter(|row| row.test.is_none() && !self.excuses(row)).count();
        if untested != self.untested {
            faults.push(format!(
                "{TABLE}: {untested} errors have no test, and the table says {}",
                self.untested
            ));
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::Message;

    fn row(origin: &str, code: Option<u8>) -> Row {
        let (text, path) = ("some text".to_owned(), "x.rs".to_owned());
        Row { message: Message { text, origin: origin.to_owned(), path, code }, test: None }
    }

    #[test]
    fn every_origin_has_a_row_and_every_row_an_origin() {
        let text = "untested 2\nReadError 3\n  cause a\n  remedy b\ny.rs\n  cause c\n  remedy d\n";
        let table = read_table(text).unwrap();
        let right = [row("ReadError", None), row("y.rs", Some(4))];
        assert_eq!(table.faults(&right), Vec::<String>::new());
        let faults = table.faults(&[row("Other", None), row("y.rs", None)]);
        assert_eq!(faults.len(), 3, "{faults:?}");
        assert_eq!(table.faults(&[]).len(), 3);
        assert!(read_table("untested x").is_err());
    }

    #[test]
    fn an_error_that_nothing_reaches_needs_a_reason_and_no_test() {
        let text =
            "untested 0\nReadError 3\n  cause a\n  remedy b\n  unreachable `some` it is so\n";
        let table = read_table(text).unwrap();
        let mut row = row("ReadError", None);
        assert_eq!(table.faults(std::slice::from_ref(&row)), Vec::<String>::new());
        assert_eq!(table.origins[0].why_unreachable("some text"), Some("it is so"));
        row.test = Some(("tests/a.rs".to_owned(), "one".to_owned()));
        assert_eq!(table.faults(std::slice::from_ref(&row)).len(), 1);
        row.message.text = "another text".to_owned();
        assert_eq!(table.faults(&[row]).len(), 1);
        assert!(read_table(&text.replace("` it", " it")).is_err());
    }
}
