//! No source file is longer than a reader can hold.

use crate::checkout::File;
use crate::violation::Violation;

/// Largest number of lines.
const LONGEST: usize = 500;
/// Extensions of source files.
const SOURCES: &[&str] = &["bzl", "cmake", "cpp", "css", "cu", "cuh", "h", "js", "rs"];

/// Finds out whether a file is too long.
pub(crate) fn violations(file: &File) -> Option<Violation> {
    let count = file.text.lines().count();
    let message = || format!("{count} lines, at most {LONGEST} are allowed: split it by content");
    (is_source(file) && count > LONGEST).then(|| Violation::new(file, LONGEST + 1, message()))
}

/// Returns the number of lines of the largest source file.
pub(crate) fn largest(files: &[File]) -> usize {
    let sources = files.iter().filter(|file| is_source(file));
    sources.map(|file| file.text.lines().count()).max().unwrap_or(0)
}

fn is_source(file: &File) -> bool {
    SOURCES.contains(&file.extension())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::violation::lines;

    #[test]
    fn long_sources_are_found() {
        let rule = |file: &File| violations(file).into_iter().collect();
        assert_eq!(lines(rule, "a.rs", &"x\n".repeat(501)), [501]);
        assert!(lines(rule, "a.rs", &"x\n".repeat(500)).is_empty());
        assert!(lines(rule, "a.md", &"x\n".repeat(501)).is_empty());
    }

    #[test]
    fn the_largest_source_is_measured() {
        let file = |path: &str, lines| File { path: path.to_owned(), text: "x\n".repeat(lines) };
        assert_eq!(largest(&[file("a.rs", 3), file("b.rs", 7), file("c.txt", 9)]), 7);
    }
}
