//! Figures of the whole checkout that have a limit.

use crate::blank::blank;
use crate::checkout::File;
use crate::imports::tokens::without_tests;
use crate::violation::Violation;

/// Largest number of blocks of unsafe code.
const UNSAFE_BLOCKS: usize = 110;
/// Largest number of lines of Rust in the task runner.
const XTASK_LINES: usize = 2_500;
const XTASK: &str = "xtask/";

/// Counts the blocks of unsafe code, tests apart.
pub(crate) fn unsafe_blocks(files: &[File]) -> usize {
    let blocks = |file: &File| {
        let code = blank(&file.text);
        let tokens = without_tests(&code);
        let pairs = tokens.windows(2);
        pairs.filter(|pair| pair[0].text == "unsafe" && pair[1].text == "{").count()
    };
    files.iter().filter(|file| file.extension() == "rs").map(blocks).sum()
}

/// Counts the lines of Rust in the task runner.
pub(crate) fn xtask_lines(files: &[File]) -> usize {
    let sources = files.iter().filter(|file| file.extension() == "rs" && file.is_below(&[XTASK]));
    sources.map(|file| file.text.lines().count()).sum()
}

/// Finds figures above their limits.
pub(crate) fn violations(files: &[File]) -> Vec<Violation> {
    let limit = |path: &str, count: usize, limit: usize, things: &str| {
        let message = format!("{count} {things}, at most {limit} are allowed");
        (count > limit).then(|| Violation { path: path.to_owned(), line: 0, message })
    };
    let blocks = limit("crates/device-ir", unsafe_blocks(files), UNSAFE_BLOCKS, "unsafe blocks");
    let lines = limit("xtask", xtask_lines(files), XTASK_LINES, "lines of Rust");
    blocks.into_iter().chain(lines).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn unsafe_blocks_are_counted() {
        let text =
            "unsafe fn a() { unsafe\n{ b() } }\n// unsafe {\n#[cfg(test)] mod t { unsafe {} }\n";
        assert_eq!(unsafe_blocks(&[file("a.rs", text), file("a.md", text)]), 1);
        let many = "unsafe { a() }\n".repeat(UNSAFE_BLOCKS + 1);
        let found = violations(&[file("a.rs", &many)]);
        assert_eq!(found[0].message, "111 unsafe blocks, at most 110 are allowed");
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn lines_of_the_task_runner_are_counted() {
        let files = [file("xtask/src/a.rs", &"x\n".repeat(2_501)), file("dev/a.rs", "x\n")];
        assert_eq!(xtask_lines(&files), 2_501);
        assert_eq!(violations(&files)[0].path, "xtask");
    }
}
