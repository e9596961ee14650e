//! `cargo xtask kill`: kills many more builds at random moments than a test run has time for.

use std::fmt::Display;
use std::path::Path;

use super::random_programs::{numbers, run_tests};
use dev_process::Result;

/// The line in the table of commands.
pub(crate) const HELP: &str = "kill 900 builds at random moments, and 100 by Bazel, and finish \
                               them; --seed N, --builds N and --bazel N for others";

/// Runs the test, which prints the metrics `strain.kills`, the number of killed builds, and
/// `strain.kills_wrong`, the number of programs that were wrong at the end.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let [seed, builds, of_bazel] = parse(arguments)?;
    dev_toolchain::servers::ensure(root)?;
    // A cluster takes part, for which the short form has no time.
    let settings: [(&str, &dyn Display); 4] = [
        ("WEFT_SEED", &seed),
        ("WEFT_KILLS", &builds),
        ("WEFT_KILLS_OF_BAZEL", &of_bazel),
        ("WEFT_KILLS_ON_CLUSTER", &1),
    ];
    run_tests(root, &settings, &["--workspace", "--test", "faults", "kills::", "--", "--nocapture"])
}

/// Returns the first seed, and the numbers of killed builds without Bazel and by Bazel.
fn parse(arguments: &[String]) -> Result<[u64; 3]> {
    numbers("kill", [("--seed", 1), ("--builds", 900), ("--bazel", 100)], arguments)
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
        assert_eq!(parse("").unwrap(), [1, 900, 100]);
        assert_eq!(parse("--bazel 0 --builds 3 --seed 9").unwrap(), [9, 3, 0]);
        for wrong in ["--seed", "--seed x", "--kills 1", "5"] {
            assert_eq!(parse(wrong).unwrap_err().exit_code(), 2, "{wrong}");
        }
    }
}
