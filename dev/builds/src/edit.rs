//! An edit of one place in a source file, as a developer would make it, which can be taken back.
//!
//! In the programs of benches a comment in the source marks the place, and the edit changes the
//! constant on the line after it. In code of others, two texts say what the edit replaces.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::Program;
use dev_process::{Error, Result, while_trying};

/// A change to one unit that can be made and taken back.
#[derive(Clone, Debug)]
pub struct Edit {
    unit: String,
    path: PathBuf,
    before: String,
    after: String,
}

impl Edit {
    /// Finds the edit at the comment `// MARKER:` in one of the program's units.
    pub fn find(program: &Program<'_>, marker: &str) -> Result<Self> {
        let units = program.units();
        for unit in units.cuda.iter().chain(&units.host) {
            let path = program.folder().join(unit);
            let before = fs::read_to_string(&path).map_err(while_trying("read", &path))?;
            if let Some(after) = edited(&before, marker) {
                return Ok(Self { unit: unit.clone(), path, before, after });
            }
        }
        let folder = program.folder().display();
        Err(Error::new(format!("{folder}: no constant is marked with `// {marker}:`")))
    }

    /// Makes an edit that replaces the text `old`, which the unit holds, by `new`. The unit may be
    /// edited already.
    pub fn replacing(program: &Program<'_>, unit: &str, old: &str, new: &str) -> Result<Self> {
        let path = program.folder().join(unit);
        let text = fs::read_to_string(&path).map_err(while_trying("read", &path))?;
        let (before, after) = match (text.contains(old), text.contains(new)) {
            (true, false) => (text.clone(), text.replace(old, new)),
            (false, true) => (text.replace(new, old), text),
            _ => {
                let path = path.display();
                let message = format!("{path}: the edit needs either {old:?} or {new:?} in it");
                return Err(Error::new(message));
            }
        };
        Ok(Self { unit: unit.to_owned(), path, before, after })
    }

    /// Makes the change, or takes it back if the unit is edited. Either is an edit to a build.
    pub fn toggle(&self) -> Result<()> {
        let text = fs::read_to_string(&self.path).map_err(while_trying("read", &self.path))?;
        if text == self.after { self.undo() } else { self.apply() }
    }

    /// Returns the unit that is edited.
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// Makes the change.
    pub fn apply(&self) -> Result<()> {
        write(&self.path, &self.after)
    }

    /// Takes the change back.
    pub fn undo(&self) -> Result<()> {
        write(&self.path, &self.before)
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(while_trying("write", path))
}

/// Returns the text with 1 added to the constant after the marker; `None` without marker or
/// constant.
fn edited(text: &str, marker: &str) -> Option<String> {
    let comment = text.find(&format!("// {marker}:"))?;
    let line = comment + text[comment..].find('\n')? + 1;
    let start = line + text[line..].split('\n').next()?.find("= ")? + 2;
    let length = text[start..].find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let value: f64 = text[start..start + length].parse().ok()?;
    let digits = text[start..start + length].split_once('.').map_or(0, |(_, digits)| digits.len());
    let value = format!("{:.digits$}", value + 1.0);
    Some(format!("{}{value}{}", &text[..start], &text[start + length..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_constant_after_the_marker_changes() {
        let text = "int a = 1;\n  // my-edit: why\n  constexpr float b = 1.5f;\nint c = 1;\n";
        let after = "int a = 1;\n  // my-edit: why\n  constexpr float b = 2.5f;\nint c = 1;\n";
        assert_eq!(edited(text, "my-edit").as_deref(), Some(after));
    }

    #[test]
    fn without_marker_or_constant_nothing_is_changed() {
        assert_eq!(edited("int a = 1;\n", "my-edit"), None);
        assert_eq!(edited("// my-edit: x\nint a;\nint b = 1;\n", "my-edit"), None);
    }
}
