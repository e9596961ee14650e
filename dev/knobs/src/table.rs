//! The table beside this crate: a file for each program, and one for the options that they share.
//!
//! A row is a line `COMMANDS OPTION` and indented lines below it:
//!
//! | line | meaning |
//! |---|---|
//! | `source DOCUMENT NAME DEFAULT` | the option in NVIDIA's programs or LLVM, its default there |
//! | `differs REASON` | why Weft's default is another one |
//! | `acts TEXT` | what the option acts on |
//! | `try COMMAND + ARGUMENTS -> FILE` | with the arguments the command makes another FILE |
//! | `refused COMMAND + ARGUMENTS: TEXT` | with the arguments the command fails with the text |
//! | `scenario NAME` | a scenario of the thin link that turns the option |
//! | `test FILE::NAME` | a test that fails if the option is ignored |
//!
//! `COMMANDS` is `all`, or a program and perhaps subcommands of it. Without subcommands the row is
//! for all commands of the program that no other row names. A line `let NAME = COMMAND` gives a
//! command a name, by which the lines below begin theirs. FILE is a file of the folder `out`, or
//! `stdout` or `stderr`. Lines that start with `#` are comments.

use std::collections::BTreeMap;

/// All rows.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The rows in their order.
    pub rows: Vec<Row>,
}

/// The row of an option.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// `all`, or a program.
    pub program: String,
    /// Subcommands that the row is for; empty for those that no other row names.
    pub subcommands: Vec<String>,
    /// Name of the option with its hyphens.
    pub name: String,
    /// The option elsewhere; `None` for an option of Weft's own.
    pub source: Option<Source>,
    /// Reason for another default; empty if there is none.
    pub differs: String,
    /// Text about what the option acts on.
    pub acts: String,
    /// Tests.
    pub proofs: Vec<Proof>,
}

/// An option of another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Number of the document, or `LLVM`, `ptxas` or `nvlink`.
    pub document: String,
    /// Name of the option there.
    pub name: String,
    /// Default there.
    pub default: String,
}

/// A test that fails if the option is ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The option changes files.
    Try(Trial, Vec<String>),
    /// The option is an error with this text.
    Refused(Trial, String),
    /// A scenario of the thin link.
    Scenario(String),
    /// A test: its file and its name.
    Test(String, String),
}

/// A command, and the arguments that turn the option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Words of the command without the option, the program first.
    pub command: Vec<String>,
    /// Words that turn the option.
    pub arguments: Vec<String>,
}

impl Table {
    /// Returns the table that this crate holds.
    pub fn of_weft() -> Result<Self, String> {
        let mut table = Self::default();
        for (file, text) in [
            ("summarize.txt", include_str!("../table/summarize.txt")),
            ("thinlink.txt", include_str!("../table/thinlink.txt")),
            ("backend-job.txt", include_str!("../table/backend-job.txt")),
            ("weft.txt", include_str!("../table/weft.txt")),
            ("results.txt", include_str!("../table/results.txt")),
        ] {
            table.read(text).map_err(|error| format!("dev/knobs/table/{file}:{error}"))?;
        }
        Ok(table)
    }

    /// Adds the rows of a file. An error starts with the number of the line.
    fn read(&mut self, text: &str) -> Result<(), String> {
        let mut names = BTreeMap::new();
        let mut is_open = false;
        for (index, line) in text.lines().enumerate() {
            let wrong = |reason: &str| format!("{}: {reason}: {line}", index + 1);
            let text = line.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            if let Some(definition) = line.strip_prefix("let ") {
                let (name, command) =
                    definition.split_once(" = ").ok_or_else(|| wrong("no ` = `"))?;
                let command = expanded(&names, command);
                names.insert(name.to_owned(), command);
            } else if line.starts_with(' ') {
                let row = self.rows.last_mut().filter(|_| is_open);
                let row = row.ok_or_else(|| wrong("no option above"))?;
                row.add(&names, text).map_err(|reason| wrong(&reason))?;
            } else {
                self.rows.push(Row::of_head(text).ok_or_else(|| wrong("no option"))?);
                is_open = true;
            }
        }
        Ok(())
    }
}

impl Row {
    fn of_head(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace().map(str::to_owned);
        let program = words.next()?;
        let mut subcommands: Vec<_> = words.collect();
        let name = subcommands.pop().filter(|name| name.starts_with('-'))?;
        Some(Self { program, subcommands, name, ..Self::default() })
    }

    fn add(&mut self, names: &BTreeMap<String, Vec<String>>, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').ok_or("one word")?;
        let trial = |text: &str| {
            let (command, arguments) = text.split_once(" + ").ok_or("no ` + `")?;
            let arguments = arguments.split_whitespace().map(str::to_owned).collect();
            Ok::<_, String>(Trial { command: expanded(names, command), arguments })
        };
        match word {
            "source" => {
                let mut parts = rest.splitn(3, ' ').map(str::to_owned);
                let mut part = || parts.next().ok_or("expected DOCUMENT NAME DEFAULT");
                let (document, name, default) = (part()?, part()?, part()?);
                self.source = Some(Source { document, name, default });
            }
            "differs" => rest.clone_into(&mut self.differs),
            "acts" => rest.clone_into(&mut self.acts),
            "try" => {
                let (text, files) = rest.split_once(" -> ").ok_or("no ` -> `")?;
                let files = files.split_whitespace().map(str::to_owned).collect();
                self.proofs.push(Proof::Try(trial(text)?, files));
            }
            "refused" => {
                let (text, message) = rest.split_once(": ").ok_or("no `: `")?;
                self.proofs.push(Proof::Refused(trial(text)?, message.to_owned()));
            }
            "scenario" => self.proofs.push(Proof::Scenario(rest.to_owned())),
            "test" => {
                let (file, name) = rest.split_once("::").ok_or("no `::`")?;
                self.proofs.push(Proof::Test(file.to_owned(), name.to_owned()));
            }
            _ => return Err("an unknown word".to_owned()),
        }
        Ok(())
    }
}

/// Returns the words of a command, whose first word may be a name given to a command by `let`.
fn expanded(names: &BTreeMap<String, Vec<String>>, text: &str) -> Vec<String> {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    let start = names.get(first).cloned().unwrap_or_else(|| vec![first.to_owned()]);
    start.into_iter().chain(words.map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_with_named_commands() -> Result<(), String> {
        let mut table = Table::default();
        table.read(
            "# a comment\nlet link = thinlink -o out\n\nthinlink --import-cutoff\n  source 001 \
             import-cutoff -1\n  acts imports\n  try link a + --import-cutoff 1 -> a.plan stdout\n\
             backend-job run codegen -O\n  acts all\n  refused backend-job run + -O9: no level\n  \
             scenario limit\n  test tests/a.rs::b\n",
        )?;
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let [first, second] = &table.rows[..] else { return Err("two rows".to_owned()) };
        assert_eq!((first.program.as_str(), first.name.as_str()), ("thinlink", "--import-cutoff"));
        assert_eq!(first.source.as_ref().map(|source| source.default.as_str()), Some("-1"));
        let trial =
            Trial { command: words("thinlink -o out a"), arguments: words("--import-cutoff 1") };
        assert_eq!(first.proofs, [Proof::Try(trial, words("a.plan stdout"))]);
        assert_eq!(second.subcommands, ["run", "codegen"]);
        assert_eq!(second.proofs.len(), 3);
        for wrong in ["  acts x", "thinlink", "thinlink -o\n  acts", "thinlink -o\n  trie x"] {
            assert!(Table::default().read(wrong).is_err(), "{wrong}");
        }
        Ok(())
    }
}
