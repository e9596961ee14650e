//! Random programs in numbers that a test run has no time for: their choice, and their tests.

use std::fmt::Display;
use std::path::Path;

use dev_checkout::executables;
use dev_process::{Error, Process, Result};
use dev_toolchain::Scope;

/// Choice of random programs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Programs {
    /// Seed of the first program; the next program has the next seed.
    pub(super) seed: u64,
    pub(super) count: u64,
}

impl Programs {
    /// Reads the arguments of `command`: `--seed N`, by default 1, and the number of programs by
    /// the option `number`, by default `count`.
    pub(super) fn parse(
        command: &str,
        number: &str,
        count: u64,
        arguments: &[String],
    ) -> Result<Self> {
        let [seed, count] = numbers(command, [("--seed", 1), (number, count)], arguments)?;
        Ok(Self { seed, count })
    }
}

/// Reads the arguments of `command`: each of the `options` has a number for the case that it is not
/// given.
pub(super) fn numbers<const COUNT: usize>(
    command: &str,
    options: [(&str, u64); COUNT],
    arguments: &[String],
) -> Result<[u64; COUNT]> {
    let mut numbers = options.map(|(_, number)| number);
    for pair in arguments.chunks(2) {
        let wrong = || {
            let options = options.map(|(name, _)| format!("[{name} N]")).join(" ");
            Error::usage(format!("{command} takes {options}, got {pair:?}"))
        };
        let [name, value] = pair else { return Err(wrong()) };
        let place = options.iter().position(|(option, _)| option == name).ok_or_else(wrong)?;
        numbers[place] = value.parse().map_err(|_| wrong())?;
    }
    Ok(numbers)
}

/// Builds the executables and runs `cargo test` with these arguments. The tests read the settings,
/// variables with these values.
pub(super) fn run_tests(
    root: &Path,
    settings: &[(&str, &dyn Display)],
    arguments: &[&str],
) -> Result<()> {
    let toolchain = dev_toolchain::ensure(root, Scope::Tests)?;
    executables::build_for_tests(root, &toolchain)?;
    let settings =
        settings.iter().map(|(name, value)| ((*name).to_owned(), value.to_string().into()));
    Process::new("cargo")
        .args(["test", "--locked"])
        .args(arguments.iter().copied())
        .variables(toolchain.environment())
        .variables(settings)
        .directory(root)
        .run()
}
