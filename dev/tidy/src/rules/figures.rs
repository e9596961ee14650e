//! Figures of the whole checkout, some of which have a limit.

use std::collections::BTreeSet;

use crate::checkout::File;
use crate::imports::syntax;
use crate::violation::Violation;

/// Largest number of blocks of unsafe code.
const UNSAFE_BLOCKS: usize = 110;
/// Largest number of lines of Rust in the task runner.
const XTASK_LINES: usize = 2_500;
/// Largest number of programs that test more than the units of one crate.
const TEST_BINARIES: usize = 25;
const XTASK: &str = "xtask/";
/// Folders that serve development alone, with their tests.
const DEVELOPMENT: &[&str] = &["dev/", XTASK, "fuzz/"];

/// Lines of Rust by what they are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lines {
    /// All that users get, without its tests.
    pub(crate) product: usize,
    /// The task runner and the crates that it calls, with their tests.
    pub(crate) development: usize,
    /// Tests of the product.
    pub(crate) tests: usize,
}

impl Lines {
    /// Counts the lines of all files.
    pub(crate) fn of(files: &[File]) -> Self {
        let mut lines = Self::default();
        for file in files.iter().filter(|file| file.extension() == "rs") {
            let all = file.text.lines().count();
            if file.is_below(DEVELOPMENT) {
                lines.development += all;
            } else {
                let tests = if is_test(&file.path) { all } else { lines_of_tests(&file.text) };
                lines.tests += tests;
                lines.product += all - tests;
            }
        }
        lines
    }
}

/// Tells whether all of a file of the product serves its tests.
fn is_test(path: &str) -> bool {
    path.starts_with("tests/") || path.contains("/tests/") || path.ends_with("/tests.rs")
}

/// Counts the lines of the modules of tests in a file: rustfmt closes them in the first column.
fn lines_of_tests(text: &str) -> usize {
    let mut lines = text.lines();
    let mut count = 0;
    while let Some(line) = lines.next() {
        if line == "#[cfg(test)]" {
            count += 1;
            let is_one_line = |line: &str| line.ends_with(';');
            for line in lines.by_ref() {
                count += 1;
                if line == "}" || is_one_line(line) && !line.starts_with(' ') {
                    break;
                }
            }
        }
    }
    count
}

/// Counts the programs in the packages' folders of tests.
pub(crate) fn test_binaries(files: &[File]) -> usize {
    let packages: BTreeSet<&str> =
        files.iter().filter_map(|file| file.path.strip_suffix("Cargo.toml")).collect();
    let is_program = |file: &&File| {
        packages.iter().any(|package| {
            let inside = file.path.strip_prefix(package);
            let name = inside.and_then(|path| path.strip_prefix("tests/"));
            let name = name.and_then(|name| name.strip_suffix(".rs"));
            name.is_some_and(|name| !name.trim_end_matches("/main").contains('/'))
        })
    };
    files.iter().filter(is_program).count()
}

/// Counts the blocks of unsafe code, tests apart.
pub(crate) fn unsafe_blocks(files: &[File]) -> usize {
    let blocks = |file: &File| syntax::read(&file.text).unsafe_blocks;
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
    let tests = limit("tests", test_binaries(files), TEST_BINARIES, "programs of tests");
    blocks.into_iter().chain(lines).chain(tests).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn unsafe_blocks_are_counted() {
        let text = "unsafe fn a() { unsafe\n{ b() } }\n// unsafe {\n#[cfg(test)] mod t { fn c() { \
                    unsafe {} } }\n";
        assert_eq!(unsafe_blocks(&[file("a.rs", text), file("a.md", text)]), 1);
        let many = text.repeat(UNSAFE_BLOCKS + 1);
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

    #[test]
    fn lines_are_of_the_product_of_its_tests_or_of_development() {
        let text = "a\n#[cfg(test)]\nmod tests {\n    b;\n}\nc\n#[cfg(test)]\nmod more;\n";
        let lines = Lines::of(&[
            file("thinlink/src/a.rs", text),
            file("thinlink/src/a/tests.rs", "x\n"),
            file("tests/src/a.rs", "x\n"),
            file("dev/a/src/a.rs", text),
            file("a.md", "x\n"),
        ]);
        assert_eq!(lines, Lines { product: 2, development: 8, tests: 8 });
    }

    #[test]
    fn programs_of_tests_are_counted() {
        let paths = [
            "tests/Cargo.toml",
            "tests/tests/knobs.rs",
            "tests/tests/cmake/main.rs",
            "tests/tests/cmake/shared.rs",
            "tests/src/lib.rs",
            "crates/a/Cargo.toml",
            "crates/a/tests/b.rs",
            "crates/a/src/tests/c.rs",
        ];
        assert_eq!(test_binaries(&paths.map(|path| file(path, ""))), 3);
    }
}
