//! `cargo xtask nightly`: compares many random programs, and reads many changed files of bitcode,
//! more than a test run has time for.

use std::path::Path;

use dev_process::{Error, Process, Result};
use dev_toolchain::Scope;

/// The line in the table of commands.
pub(crate) const HELP: &str =
    "compare 2,000 random programs, read as many changed files; --seed N and --count N for others";

/// Choice of random programs.
#[derive(Debug, PartialEq, Eq)]
struct Programs {
    /// Seed of the first program; the next program has the next seed.
    seed: u64,
    count: u64,
}

/// Number of programs of which one is edited, too. An edit builds the program again.
const PROGRAMS_PER_EDITED: u64 = 20;

/// Runs the tests that take random programs. They keep the folder of a program that fails, and
/// print its seed.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let Programs { seed, count } = Programs::parse(arguments)?;
    let toolchain = dev_toolchain::ensure(root, Scope::Tests)?;
    Process::new("cargo")
        .args(["build", "--workspace", "--bins", "--locked"])
        .variables(toolchain.environment())
        .directory(root)
        .run()?;
    let edited = count.div_ceil(PROGRAMS_PER_EDITED);
    let settings = [
        ("WEFT_SEED", seed),
        ("WEFT_PROGRAMS", count),
        ("WEFT_EDITED_PROGRAMS", edited),
        ("WEFT_HOSTILE_FILES", count),
    ];
    let settings = settings.map(|(name, value)| (name.to_owned(), value.to_string().into()));
    Process::new("cargo")
        .args(["test", "--locked", "-p", "weft-tests", "--no-fail-fast"])
        .args(["--test", "meaning", "--test", "early_cutoff"])
        .args(["--test", "hostile_bitcode", "--", "--nocapture"])
        .variables(toolchain.environment())
        .variables(settings)
        .directory(root)
        .run()
}

impl Programs {
    fn parse(arguments: &[String]) -> Result<Self> {
        let mut programs = Self { seed: 1, count: 2000 };
        for pair in arguments.chunks(2) {
            let wrong =
                || Error::usage(format!("nightly takes [--seed N] [--count N], got {pair:?}"));
            let [name, value] = pair else { return Err(wrong()) };
            let value = value.parse().map_err(|_| wrong())?;
            match name.as_str() {
                "--seed" => programs.seed = value,
                "--count" => programs.count = value,
                _ => return Err(wrong()),
            }
        }
        Ok(programs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Programs> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Programs::parse(&words)
    }

    #[test]
    fn seed_and_count_come_in_any_order() {
        assert_eq!(parse("").unwrap(), Programs { seed: 1, count: 2000 });
        assert_eq!(parse("--count 3 --seed 9").unwrap(), Programs { seed: 9, count: 3 });
        for wrong in ["--seed", "--seed x", "--seeds 1", "5"] {
            assert_eq!(parse(wrong).unwrap_err().exit_code(), 2, "{wrong}");
        }
    }
}
