//! Tests that reach an error: those that hold a part of its text.

use std::collections::BTreeMap;
use std::path::Path;

use dev_process::Result;

use crate::literals::literals;
use crate::messages::{Message, fragments};
use crate::sources::{below, product, read};

/// Folders with tests.
const FOLDERS: [&str; 2] = ["tests", "thinlink/tests"];
/// Length of a text in characters from which it tells one error from another.
const TELLING: usize = 10;

/// Length of a shared text in characters that tells any error.
const ENOUGH: usize = 28;

/// An error with the test that reaches it.
pub(crate) struct Row {
    pub(crate) message: Message,
    /// Path of the test's file, and name of the test if the file has several.
    pub(crate) test: Option<(String, String)>,
}

/// Length of the fixed parts of a message in characters from which a text that has all of them is
/// the message.
const FILLED: usize = 8;

/// Texts in tests, with their places. Of several places the first is taken.
pub(crate) struct Tests(BTreeMap<String, (String, String)>);

/// Reads all tests of the checkout.
pub(crate) fn tests(root: &Path) -> Result<Tests> {
    let mut texts = BTreeMap::new();
    let mut folders: Vec<_> = FOLDERS.map(|folder| root.join(folder)).into();
    let crates = std::fs::read_dir(root.join("crates")).into_iter().flatten().flatten();
    folders.extend(crates.map(|entry| entry.path().join("tests")));
    for folder in folders.into_iter().filter(|folder| folder.is_dir()) {
        for path in below(&folder)? {
            let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
            match kind {
                "rs" => add_code(&mut texts, &name, &read(&path)?),
                // Scenarios state messages as they are printed.
                "txt" => {
                    for line in read(&path)?.lines() {
                        add(&mut texts, line.trim(), &name, "");
                    }
                }
                _ => {}
            }
        }
    }
    for source in product(root)? {
        add_code(&mut texts, &source.path, &source.tests);
    }
    Ok(Tests(texts))
}

fn add_code(texts: &mut BTreeMap<String, (String, String)>, path: &str, code: &str) {
    for (at, text) in literals(code) {
        let before = &code[..at];
        let test = before.rfind("#[test]").and_then(|start| {
            let (_, rest) = before[start..].split_once("fn ")?;
            rest.split_once('(').map(|(name, _)| name)
        });
        // The failure message of a test is no message of the product.
        if let Some(test) = test.filter(|_| !before.ends_with("panic!(")) {
            add(texts, &text, path, test);
        }
    }
}

fn add(known: &mut BTreeMap<String, (String, String)>, literal: &str, path: &str, test: &str) {
    if literal.trim().chars().count() >= TELLING {
        let place = (path.to_owned(), test.to_owned());
        known.entry(literal.trim().to_owned()).or_insert(place);
    }
}

impl Tests {
    /// Returns the error with the test that holds the longest part of its text. If all parts are
    /// too short, that is the test with a text that fills in each placeholder.
    pub(crate) fn row(&self, message: Message) -> Row {
        let parts = fragments(&message.text);
        let parts: Vec<&str> =
            parts.into_iter().filter(|part| part.chars().count() >= TELLING).collect();
        // A short part of a long text may belong to another message.
        let enough = parts.iter().map(|part| part.len()).max().unwrap_or_default().min(ENOUGH) / 2;
        let shared = |text: &str| {
            let sharing = parts.iter().filter(|part| part.contains(text) || text.contains(**part));
            let lengths = sharing.map(|part| part.len().min(text.len()));
            lengths.max().filter(|length| *length >= enough)
        };
        let best = self.0.iter().filter_map(|(text, place)| Some((shared(text)?, place)));
        // Of equally long parts, the first in the order of texts is taken.
        let best = best.reduce(|one, other| if other.0 > one.0 { other } else { one });
        // Of the texts that match the whole message, the shortest has the least other content.
        let mut whole: Vec<_> =
            self.0.iter().filter(|(text, _)| filled(&message.text, text).is_some()).collect();
        whole.sort_by_key(|(text, _)| text.len());
        let whole = whole.first().map(|(_, place)| *place);
        let test = best.map(|(_, place)| place).or(whole).cloned();
        Row { message, test }
    }
}

/// Returns the length of the fixed parts of a message if `literal` has all of them in their order,
/// with something between them. This identifies messages whose single parts are too short.
fn filled(message: &str, literal: &str) -> Option<usize> {
    let parts = fixed_parts(message);
    let literal = format!(" {literal} ");
    let mut rest = literal.as_str();
    for (number, part) in parts.iter().enumerate() {
        // The value of a placeholder is between two parts.
        let from = rest.char_indices().nth(usize::from(number > 0)).map_or(0, |(at, _)| at);
        let at = rest[from..].find(part)?;
        rest = &rest[from + at + part.len()..];
    }
    let length = parts.iter().map(|part| part.trim().chars().count()).sum();
    (length >= FILLED).then_some(length)
}

/// Returns the texts around the placeholders of a message.
fn fixed_parts(message: &str) -> Vec<&str> {
    let parts = message.split('{').enumerate().map(|(number, part)| match part.split_once('}') {
        Some((_, rest)) if number > 0 => rest,
        _ => part,
    });
    parts.filter(|part| !part.trim().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_part_names_the_test() {
        let mut known = BTreeMap::new();
        let code = "#[test]\nfn one() { says(\"ends early\") }\n#[test]\nfn two() { \
                    says(\"the archive ends early\") }";
        add_code(&mut known, "tests/a.rs", code);
        let message = |text: &str| Message {
            text: text.to_owned(),
            origin: String::new(),
            path: String::new(),
            code: None,
        };
        let tests = Tests(known);
        let found = tests.row(message("{path}: the archive ends early"));
        assert_eq!(found.test, Some(("tests/a.rs".to_owned(), "two".to_owned())));
        assert_eq!(tests.row(message("{path}: no such member")).test, None);
    }

    #[test]
    fn short_parts_tell_together() {
        let message = "{file}: the plan {use_of} '{id}', {lacks}";
        let filling = "a.plan: the plan imports from 'b', and no --import gives it";
        assert_eq!(filled(message, filling), Some(13));
        assert_eq!(filled(message, "the plan imports from b, and no --import gives it"), None);
        assert_eq!(filled("{server}: {call} failed: {reason}", "host: Execute failed:"), Some(8));
        assert_eq!(filled("{server}: {call} failed: {reason}", "Execute failed: so"), None);
        assert_eq!(filled("{a}: {b}", "one: two"), None);
    }
}
