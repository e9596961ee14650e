//! The rebuild table, `tests/rebuild/table.txt`, which lists the steps that each edit reruns. The
//! header of the table describes its format. All build systems share one table, so that they cannot
//! drift apart.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::workspace_root;

/// The steps that ran, with their units, sorted. A step of the whole program has no units.
pub type Steps = BTreeMap<String, Vec<String>>;

/// The build systems that the table tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildSystem {
    /// Bazel.
    Bazel,
    /// CMake with Ninja.
    Ninja,
    /// CMake with Make.
    Make,
}

impl BuildSystem {
    /// Returns the systems that a word at the start of a statement means.
    fn of_word(word: &str) -> Option<&'static [Self]> {
        match word {
            "bazel" => Some(&[Self::Bazel]),
            "ninja" => Some(&[Self::Ninja]),
            "make" => Some(&[Self::Make]),
            "cmake" => Some(&[Self::Ninja, Self::Make]),
            _ => None,
        }
    }
}

/// One row: edits, and exactly the steps that must run after them.
#[derive(Clone, Debug)]
pub struct Row {
    /// Description of the edits, as a sentence without its full stop.
    pub title: String,
    changes: Vec<Change>,
    expected: Steps,
}

/// A change to one file.
#[derive(Clone, Debug)]
struct Change {
    kind: Kind,
    file: String,
    /// Texts and their replacements. A new file has one pair for each line, whose first text is
    /// empty.
    texts: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Edit,
    Create,
    Remove,
    Touch,
}

/// Returns the folder of the project that the rows change.
pub fn project() -> PathBuf {
    workspace_root().join("tests/rebuild/project")
}

/// Returns the rows for one build system.
pub fn rows(system: BuildSystem) -> Vec<Row> {
    parse(include_str!("../rebuild/table.txt"), system)
}

impl Row {
    /// Makes the edits in a copy of the project.
    pub fn apply(&self, folder: &Path) {
        for change in &self.changes {
            change.apply(&folder.join(&change.file));
        }
    }

    /// Describes the differences between the steps that ran and those that the row expects, a line
    /// for each step. The text is empty if they are equal.
    pub fn differences(&self, ran: &Steps) -> String {
        let show = |steps: &Steps, step: &str| match steps.get(step) {
            None => "nothing".to_owned(),
            Some(units) => format!("{step} {}", units.join(" ")),
        };
        let steps: BTreeSet<&String> = self.expected.keys().chain(ran.keys()).collect();
        let different = steps.into_iter().filter(|step| self.expected.get(*step) != ran.get(*step));
        let line = |step: &String| {
            format!(
                "{}: expected {}, ran {}\n",
                self.title,
                show(&self.expected, step),
                show(ran, step)
            )
        };
        different.map(line).collect::<Vec<_>>().concat()
    }
}

impl Change {
    fn apply(&self, path: &Path) {
        let done = match self.kind {
            Kind::Remove => fs::remove_file(path),
            Kind::Touch => fs::read(path).and_then(|content| fs::write(path, content)),
            Kind::Create => {
                fs::write(path, self.texts.iter().map(|(_, new)| new.as_str()).collect::<String>())
            }
            Kind::Edit => {
                fs::read_to_string(path).and_then(|text| fs::write(path, self.edited(text)))
            }
        };
        done.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    fn edited(&self, mut text: String) -> String {
        for (old, new) in &self.texts {
            assert_eq!(text.matches(old).count(), 1, "{}: {old:?}", self.file);
            text = text.replace(old, new);
        }
        text
    }

    /// Adds a line `- OLD` or `+ NEW` to the change; `None` if the change takes no such line.
    fn take(&mut self, line: &str) -> Option<()> {
        let text = line.get(2..).unwrap_or_default();
        match (self.kind, line.starts_with('-')) {
            (Kind::Edit, true) => self.texts.push((text.to_owned(), String::new())),
            (Kind::Create, false) => self.texts.push((String::new(), format!("{text}\n"))),
            (Kind::Edit, false) => {
                let (_, new) = self.texts.last_mut()?;
                if !new.is_empty() {
                    new.push('\n');
                }
                new.push_str(text);
            }
            _ => return None,
        }
        Some(())
    }
}

/// Reads the table for one system. The `-` and `+` lines of a statement for another system are
/// skipped.
fn parse(table: &str, system: BuildSystem) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut taken = true;
    for (number, line) in (1..).zip(table.lines()) {
        let statement = line.trim_start();
        if statement.is_empty() || statement.starts_with('#') {
            continue;
        }
        let wrong = || format!("tests/rebuild/table.txt:{number}: cannot read {line:?}");
        if statement.starts_with(['-', '+']) {
            if taken {
                let change = rows.last_mut().and_then(|row| row.changes.last_mut());
                change
                    .and_then(|change| change.take(statement))
                    .unwrap_or_else(|| panic!("{}", wrong()));
            }
            continue;
        }
        let (word, rest) = statement.split_once(' ').unwrap_or_else(|| panic!("{}", wrong()));
        let only = BuildSystem::of_word(word);
        taken = only.is_none_or(|only| only.contains(&system));
        if taken {
            let statement = if only.is_some() { rest } else { statement };
            read(statement, &mut rows).unwrap_or_else(|| panic!("{}", wrong()));
        }
    }
    rows
}

/// Reads a statement that is not a `-` or `+` line; `None` if there is no such statement.
fn read(statement: &str, rows: &mut Vec<Row>) -> Option<()> {
    let (word, rest) = statement.split_once(' ')?;
    if word == "row" {
        let title = rest.to_owned();
        rows.push(Row { title, changes: Vec::new(), expected: Steps::new() });
        return Some(());
    }
    let row = rows.last_mut()?;
    let kind = match word {
        "edit" => Kind::Edit,
        "create" => Kind::Create,
        "remove" => Kind::Remove,
        "touch" => Kind::Touch,
        "ran" => {
            let mut words = rest.split(' ').map(str::to_owned);
            let step = words.next()?;
            return row.expected.insert(step, words.collect()).is_none().then_some(());
        }
        _ => return None,
    };
    row.changes.push(Change { kind, file: rest.to_owned(), texts: Vec::new() });
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "# comment\nrow a thing\n  edit a\n    - old\n    + new\n    + more\n  \
                         bazel touch b\n  cmake edit c\n    - x\n    + y\n  ran link\n  \
                         bazel ran import a b\n  ninja ran import a\n";

    #[test]
    fn a_statement_is_for_all_systems_or_for_one() {
        for (system, changes, steps) in
            [(BuildSystem::Bazel, 2, 2), (BuildSystem::Ninja, 2, 2), (BuildSystem::Make, 2, 1)]
        {
            let rows = parse(TABLE, system);
            assert_eq!(rows.len(), 1);
            assert_eq!((rows[0].changes.len(), rows[0].expected.len()), (changes, steps));
            assert_eq!(rows[0].changes[0].edited("an old one".to_owned()), "an new\nmore one");
        }
        assert_eq!(parse(TABLE, BuildSystem::Bazel)[0].expected["import"], ["a", "b"]);
    }

    #[test]
    fn every_row_names_what_it_did() {
        for system in [BuildSystem::Bazel, BuildSystem::Ninja, BuildSystem::Make] {
            let rows = rows(system);
            assert!(rows.len() > 12 && rows.iter().all(|row| !row.title.is_empty()));
        }
    }
}
