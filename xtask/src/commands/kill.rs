//! `cargo xtask kill`: kills many more builds at random moments than a test run has time for.

use std::path::Path;

use super::random_programs::{Programs, run_tests};
use dev_process::Result;

/// The line in the table of commands.
pub(crate) const HELP: &str =
    "kill 1,000 builds at random moments and finish them; --seed N and --builds N for others";

/// Runs the test, which prints the metrics `strain.kills`, the number of killed builds, and
/// `strain.kills_wrong`, the number of programs that were wrong at the end.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let Programs { seed, count } = parse(arguments)?;
    dev_toolchain::servers::ensure(root)?;
    // A cluster takes part, for which the short form has no time.
    let settings = [("WEFT_SEED", seed), ("WEFT_KILLS", count), ("WEFT_KILLS_ON_CLUSTER", 1)];
    run_tests(root, &settings, &["--workspace", "--test", "kills", "killed", "--", "--nocapture"])
}

fn parse(arguments: &[String]) -> Result<Programs> {
    Programs::parse("kill", "--builds", 1000, arguments)
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
        assert_eq!(parse("--builds 3 --seed 9").unwrap(), Programs { seed: 9, count: 3 });
        for wrong in ["--seed", "--seed x", "--kills 1", "5"] {
            assert_eq!(parse(wrong).unwrap_err().exit_code(), 2, "{wrong}");
        }
    }
}
