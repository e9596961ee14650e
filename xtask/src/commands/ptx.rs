//! `cargo xtask ptx`: runs many random programs from PTX, more than a test run has time for.

use std::path::Path;

use dev_process::{Error, Process, Result};
use dev_toolchain::Scope;

/// The line in the table of commands.
pub(crate) const HELP: &str =
    "run 1,000 random programs from the PTX of three builds; --seed N and --programs N for others";

/// Choice of random programs.
#[derive(Debug, PartialEq, Eq)]
struct Programs {
    /// Seed of the first program; the next program has the next seed.
    seed: u64,
    count: u64,
}

/// Runs the test, which prints the metrics `strain.ptx_programs`, the number of programs,
/// `strain.ptx_differences`, those of which a build computes something else, and
/// `strain.ptx_read_differently`, those that clang and nvcc read in different ways.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let Programs { seed, count } = Programs::parse(arguments)?;
    let toolchain = dev_toolchain::ensure(root, Scope::Tests)?;
    Process::new("cargo")
        .args(["build", "--workspace", "--bins", "--locked"])
        .variables(toolchain.environment())
        .directory(root)
        .run()?;
    let settings = [("WEFT_SEED", seed), ("WEFT_PTX_PROGRAMS", count)];
    let settings = settings.map(|(name, value)| (name.to_owned(), value.to_string().into()));
    Process::new("cargo")
        .args(["test", "--workspace", "--locked", "--test", "ptx_runs"])
        .args(["random_programs", "--", "--nocapture"])
        .variables(toolchain.environment())
        .variables(settings)
        .directory(root)
        .run()
}

impl Programs {
    fn parse(arguments: &[String]) -> Result<Self> {
        let mut programs = Self { seed: 1, count: 1000 };
        for pair in arguments.chunks(2) {
            let wrong =
                || Error::usage(format!("ptx takes [--seed N] [--programs N], got {pair:?}"));
            let [name, value] = pair else { return Err(wrong()) };
            let value = value.parse().map_err(|_| wrong())?;
            match name.as_str() {
                "--seed" => programs.seed = value,
                "--programs" => programs.count = value,
                _ => return Err(wrong()),
            }
        }
        Ok(programs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_and_number_come_in_any_order() {
        let parse = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            Programs::parse(&words)
        };
        assert_eq!(parse("").unwrap(), Programs { seed: 1, count: 1000 });
        assert_eq!(parse("--programs 3 --seed 9").unwrap(), Programs { seed: 9, count: 3 });
        for wrong in ["--seed", "--seed x", "--count 1", "5"] {
            assert_eq!(parse(wrong).unwrap_err().exit_code(), 2, "{wrong}");
        }
    }
}
