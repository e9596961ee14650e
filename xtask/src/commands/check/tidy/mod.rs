//! The house rules that no other tool knows, over every text file that git knows or would add.
//!
//! A rule is a function from a file, or from all files, to violations. Rules about Rust code look
//! at the code with comments and literals blanked out (`blank.rs`), so that a message or a test can
//! name what a rule forbids.

mod blank;
mod code;
mod links;
mod manifests;
mod text;

use std::fmt;
use std::fs;
use std::path::Path;

use crate::error::{Error, Result};
use crate::process::Process;

/// A text file of the checkout.
struct File {
    /// Relative to the root, with `/`.
    path: String,
    text: String,
}

impl File {
    /// What follows the last dot of the name, or nothing.
    fn extension(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').map_or("", |(_, extension)| extension)
    }
}

/// Something against a rule. A line of 0 means the whole file.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Violation {
    path: String,
    line: usize,
    message: String,
}

impl Violation {
    fn new(file: &File, line: usize, message: impl Into<String>) -> Self {
        Self { path: file.path.clone(), line, message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.path, self.line.max(1), self.message)
    }
}

/// Applies every rule and prints every violation.
pub(super) fn run(root: &Path) -> Result<()> {
    let (paths, files) = read_files(root)?;
    let mut violations: Vec<Violation> = files
        .iter()
        .flat_map(|file| {
            let mut found = text::violations(file);
            found.extend(code::violations(file));
            found.extend(links::violations(file, &paths));
            found
        })
        .chain(manifests::violations(&files))
        .collect();
    violations.sort();
    for violation in &violations {
        println!("{violation}");
    }
    if violations.is_empty() {
        println!("{} files are tidy", files.len());
        return Ok(());
    }
    Err(Error::new(format!("{} violations in {} files", violations.len(), files.len())))
}

/// The paths of all files, and those that are text. A file that is deleted but still in git's
/// index is no file.
fn read_files(root: &Path) -> Result<(Vec<String>, Vec<File>)> {
    let list = Process::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .directory(root)
        .capture()?;
    let mut paths: Vec<String> =
        list.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect();
    paths.sort();
    paths.dedup();
    paths.retain(|path| root.join(path).is_file());
    let read = |path: &String| {
        let bytes = fs::read(root.join(path)).ok()?;
        let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))?;
        Some(File { path: path.clone(), text })
    };
    let files = paths.iter().filter_map(read).collect();
    Ok((paths, files))
}

/// For the tests of the rules: the lines at which `text`, at `path`, is against a rule.
#[cfg(test)]
fn lines(rule: impl Fn(&File) -> Vec<Violation>, path: &str, text: &str) -> Vec<usize> {
    let file = File { path: path.to_owned(), text: text.to_owned() };
    rule(&file).into_iter().map(|violation| violation.line).collect()
}
