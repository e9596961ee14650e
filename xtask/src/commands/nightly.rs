//! `cargo xtask nightly`: compares many random programs, and reads many changed files of bitcode,
//! more than a test run has time for.

use std::fmt::Display;
use std::path::Path;

use super::random_programs::{Programs, run_tests};
use dev_process::Result;

/// The line in the table of commands.
pub(crate) const HELP: &str =
    "compare 2,000 random programs, read as many changed files; --seed N and --count N for others";

/// Number of programs of which one is edited, too. An edit builds the program again.
const PROGRAMS_PER_EDITED: u64 = 20;

/// Runs the tests that take random programs. They keep the folder of a program that fails, and
/// print its seed.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let Programs { seed, count } = parse(arguments)?;
    let settings: [(&str, &dyn Display); 4] = [
        ("WEFT_SEED", &seed),
        ("WEFT_PROGRAMS", &count),
        ("WEFT_EDITED_PROGRAMS", &count.div_ceil(PROGRAMS_PER_EDITED)),
        ("WEFT_HOSTILE_FILES", &count),
    ];
    let package = ["-p", "weft-tests", "--no-fail-fast"];
    let kinds = ["--test", "programs", "--test", "optimizer", "--test", "bad_input", "--"];
    let modules = ["meaning::", "early_cutoff::", "hostile_bitcode::", "--nocapture"];
    run_tests(root, &settings, &[&package[..], &kinds, &modules].concat())
}

fn parse(arguments: &[String]) -> Result<Programs> {
    Programs::parse("nightly", "--count", 2000, arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_and_count_come_in_any_order() {
        let parse = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            parse(&words)
        };
        assert_eq!(parse("").unwrap(), Programs { seed: 1, count: 2000 });
        assert_eq!(parse("--count 3 --seed 9").unwrap(), Programs { seed: 9, count: 3 });
        for wrong in ["--seed", "--seed x", "--seeds 1", "5"] {
            assert_eq!(parse(wrong).unwrap_err().exit_code(), 2, "{wrong}");
        }
    }
}
