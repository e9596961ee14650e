//! `cargo xtask ptx`: runs many random programs from PTX, more than a test run has time for.

use std::fmt::Display;
use std::path::Path;

use super::random_programs::{Programs, run_tests};
use dev_process::Result;

/// The line in the table of commands.
pub(crate) const HELP: &str =
    "run 1,000 random programs from the PTX of three builds; --seed N and --programs N for others";

/// Runs the test, which prints the metrics `strain.ptx_programs`, the number of programs,
/// `strain.ptx_differences`, those of which a build computes something else, and
/// `strain.ptx_read_differently`, those that clang and nvcc read in different ways.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let Programs { seed, count } = parse(arguments)?;
    let settings: [(&str, &dyn Display); 2] = [("WEFT_SEED", &seed), ("WEFT_PTX_PROGRAMS", &count)];
    let test = ["--workspace", "--test", "programs", "ptx_runs::random", "--", "--nocapture"];
    run_tests(root, &settings, &test)
}

fn parse(arguments: &[String]) -> Result<Programs> {
    Programs::parse("ptx", "--programs", 1000, arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_and_number_come_in_any_order() {
        let parse = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            parse(&words)
        };
        assert_eq!(parse("").unwrap(), Programs { seed: 1, count: 1000 });
        assert_eq!(parse("--programs 3 --seed 9").unwrap(), Programs { seed: 9, count: 3 });
        for wrong in ["--seed", "--seed x", "--count 1", "5"] {
            assert_eq!(parse(wrong).unwrap_err().exit_code(), 2, "{wrong}");
        }
    }
}
