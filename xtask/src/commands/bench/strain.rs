//! `cargo xtask bench strain`: the short forms of all stress tests. The long forms are separate
//! commands.

use std::path::Path;

use super::arguments::{Given, Known, chosen, only};
use crate::commands::fuzz::{self, Search};
use crate::commands::random_programs::run_tests;
use dev_bench::thinlink;
use dev_process::Result;

pub(super) const OPTIONS: &[Known] =
    &[only("PART", "run fuzz, tests or thinlink alone; may come again")];

/// Parts in the order in which they run.
const PARTS: [&str; 3] = ["fuzz", "tests", "thinlink"];
/// Kinds of tests, and those of their modules with the short forms of `kill`, `hunt`, `ptx` and
/// `load`, or hostile files. Of the faults all run.
const KINDS: [&str; 3] = ["faults", "programs", "bad_input"];
const MODULES: [&str; 8] = [
    "kills::",
    "load::",
    "machine::",
    "child_processes::",
    "network_files::",
    "hunt::",
    "ptx_runs::",
    "hostile_bitcode::",
];
/// Executions of each reader.
const FUZZ_RUNS: u64 = 20_000;

/// Prints `metric strain.NAME VALUE` for each figure.
pub(super) fn run(root: &Path, given: &[Given]) -> Result<()> {
    for part in chosen("strain", &PARTS, given)? {
        match part {
            "fuzz" => {
                fuzz::search(root, &Search { minutes: 10, runs: FUZZ_RUNS, reader: None })?;
            }
            "tests" => {
                let mut arguments = vec!["--workspace", "--no-fail-fast"];
                arguments.extend(KINDS.iter().flat_map(|kind| ["--test", kind]));
                arguments.extend(["--", "--nocapture"]);
                arguments.extend(MODULES);
                run_tests(root, &[], &arguments)?;
                let shapes = ["--workspace", "--test", "thinlink", "extremes", "--", "--nocapture"];
                run_tests(root, &[], &shapes)?;
            }
            _ => thinlink::hundred_thousand(root)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::arguments::parse_line;
    use super::*;

    #[test]
    fn parts_are_chosen_by_name() {
        let parts = |line: &str| chosen("strain", &PARTS, &parse_line(OPTIONS, line)?);
        assert_eq!(parts("").unwrap(), PARTS);
        assert_eq!(parts("--only tests --only=fuzz").unwrap(), ["tests", "fuzz"]);
        for wrong in ["--only test", "--only", "tests", "--only="] {
            assert_eq!(parts(wrong).unwrap_err().exit_code(), 2, "{wrong:?}");
        }
    }
}
