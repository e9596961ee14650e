//! `cargo xtask test`: runs every test of the workspace, with the toolchain that it needs.

use std::path::Path;
use std::thread;

use dev_process::environment::variable;
use dev_process::{Error, Process, Result};
use dev_toolchain::Scope;

/// The line in the table of commands.
pub(crate) const HELP: &str = "run all tests; arguments go to `cargo test`";

/// Number of tests that run at a time, for libtest.
const THREADS: &str = "RUST_TEST_THREADS";
/// Number of tests for each processor: many tests wait for servers and timeouts.
const TESTS_OF_A_PROCESSOR: usize = 2;

/// Runs the tests and ends with one line that sums up all test programs.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let toolchain = dev_toolchain::ensure(root, Scope::Tests)?;
    // The end-to-end tests run the executables, and cargo builds executables for tests of their own
    // package only.
    Process::new("cargo")
        .args(["build", "--workspace", "--bins", "--locked"])
        .variables(toolchain.environment())
        .directory(root)
        .run()?;
    dev_toolchain::servers::ensure(root)?;
    dev_toolchain::scripts::ensure(root)?;
    let ggml = dev_toolchain::samples::ensure(root, dev_toolchain::samples::GGML)?;
    let cuda_12 = dev_toolchain::samples::ensure(root, dev_toolchain::samples::CUDA_12)?;
    let threads = variable(THREADS).unwrap_or_else(|| {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        (processors * TESTS_OF_A_PROCESSOR).to_string().into()
    });
    let mut total = Tally::default();
    let outcome = Process::new("cargo")
        .args(["test", "--workspace", "--locked", "--no-fail-fast"])
        .args(arguments)
        .variables(toolchain.environment())
        .variable(THREADS, threads)
        .variable(dev_toolchain::samples::GGML_VARIABLE, ggml)
        .variable(dev_toolchain::samples::CUDA_12_VARIABLE, cuda_12)
        .directory(root)
        .scan(|line| {
            println!("{line}");
            total = total.plus(Tally::of_line(line).unwrap_or_default());
        });
    match outcome {
        Ok(()) if total.programs == 0 => Err(Error::new("cargo test ran no test program")),
        // Failed tests have been shown; any other failure, such as a compiler's error, has its own
        // text.
        Err(_) if total.failed > 0 => {
            println!("{}", total.summary());
            Err(Error::reported())
        }
        Err(error) => Err(error),
        Ok(()) => {
            println!("{}", total.summary());
            Ok(())
        }
    }
}

/// The counts of one test program, or of several.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Tally {
    programs: u64,
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl Tally {
    /// Reads libtest's last line: `test result: ok. 3 passed; 0 failed; 1 ignored; ...`.
    fn of_line(line: &str) -> Option<Self> {
        let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
        let count = |label: &str| {
            counts.split("; ").find_map(|count| count.strip_suffix(label)?.trim().parse().ok())
        };
        Some(Self {
            programs: 1,
            passed: count("passed")?,
            failed: count("failed")?,
            skipped: count("ignored")?,
        })
    }

    fn plus(self, other: Self) -> Self {
        Self {
            programs: self.programs + other.programs,
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            skipped: self.skipped + other.skipped,
        }
    }

    fn summary(self) -> String {
        let skipped = match self.skipped {
            0 => String::new(),
            count => format!(", {count} skipped"),
        };
        format!("{} passed, {} failed{skipped}", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_of_all_test_programs_are_summed_up() {
        let lines = [
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished",
            "test backend::result: ok. 5 passed",
            "test result: FAILED. 11 passed; 2 failed; 1 ignored; 0 measured; 4 filtered out; fin",
        ];
        let total = lines.iter().filter_map(|line| Tally::of_line(line));
        let total = total.fold(Tally::default(), Tally::plus);
        assert_eq!(total, Tally { programs: 2, passed: 14, failed: 2, skipped: 1 });
        assert_eq!(total.summary(), "14 passed, 2 failed, 1 skipped");
    }
}
