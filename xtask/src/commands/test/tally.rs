//! The counts of tests.

use dev_process::{Error, Process, Result};

/// The counts of one test program, or of several.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tally {
    programs: u64,
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl Tally {
    /// Runs a process and hands each line of its output to `show`. Returns the counts in these
    /// lines. Failed tests are counted; any other failure, such as a compiler's error, is one here.
    pub(super) fn of(process: Process, mut show: impl FnMut(&str)) -> Result<Self> {
        let mut total = Self::default();
        let outcome = process.scan(|line| {
            show(line);
            total = total.plus(Self::of_line(line).unwrap_or_default());
        });
        if total.failed > 0 { Ok(total) } else { outcome.map(|()| total) }
    }

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

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            programs: self.programs + other.programs,
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            skipped: self.skipped + other.skipped,
        }
    }

    /// Prints the counts. It is an error if a test has failed, or if there was none.
    pub(super) fn judge(self) -> Result<()> {
        if self.programs == 0 {
            return Err(Error::new("cargo test ran no test program"));
        }
        println!("{}", self.summary());
        if self.failed == 0 { Ok(()) } else { Err(Error::reported()) }
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
