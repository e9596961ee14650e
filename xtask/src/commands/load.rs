//! `cargo xtask load`: more jobs on one cache at once than a test run has time for.

use std::fmt::Display;
use std::path::Path;

use super::random_programs::{numbers, run_tests};
use dev_process::Result;

/// The line in the table of commands.
pub(crate) const HELP: &str =
    "run 2,000 jobs on one cache from 32 processes; --jobs N, --processes N";

/// Runs the test, which prints the metrics `strain.load_jobs`, `strain.load_seconds` and
/// `strain.load_wrong`, the number of jobs with a wrong result.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let (jobs, processes) = parse(arguments)?;
    let settings: [(&str, &dyn Display); 2] =
        [("WEFT_LOAD_JOBS", &jobs), ("WEFT_LOAD_PROCESSES", &processes)];
    run_tests(root, &settings, &["--workspace", "--test", "faults", "load::", "--", "--nocapture"])
}

/// Returns the numbers of jobs and of processes.
fn parse(arguments: &[String]) -> Result<(u64, u64)> {
    numbers("load", [("--jobs", 2000), ("--processes", 32)], arguments).map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_in_any_order() {
        let parse = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            parse(&words)
        };
        assert_eq!(parse("").unwrap(), (2000, 32));
        assert_eq!(parse("--processes 3 --jobs 9").unwrap(), (9, 3));
        for wrong in ["--jobs", "--jobs x", "--threads 1", "5"] {
            assert_eq!(parse(wrong).unwrap_err().exit_code(), 2, "{wrong}");
        }
    }
}
