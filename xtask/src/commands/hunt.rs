//! `cargo xtask hunt`: hunts for wrong code for a given time.

use std::fmt::Display;
use std::path::Path;

use super::random_programs::{numbers, run_tests};
use dev_process::Result;

/// The line in the table of commands.
pub(crate) const HELP: &str =
    "hunt for wrong code in random programs; --minutes N, --programs N at least, --seed N";

/// First seed, time and least number of programs.
#[derive(Debug, PartialEq, Eq)]
struct Hunt {
    seed: u64,
    minutes: u64,
    programs: u64,
}

/// Runs the test, which prints the metrics `strain.hunt_programs`, the number of programs, and
/// `strain.hunt_wrong`, those that are wrong. Each of these is reduced and kept.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let Hunt { seed, minutes, programs } = parse(arguments)?;
    let settings: [(&str, &dyn Display); 3] =
        [("WEFT_SEED", &seed), ("WEFT_HUNT_MINUTES", &minutes), ("WEFT_HUNT_PROGRAMS", &programs)];
    run_tests(
        root,
        &settings,
        &["--workspace", "--test", "programs", "hunt::random", "--", "--nocapture"],
    )
}

fn parse(arguments: &[String]) -> Result<Hunt> {
    let options = [("--minutes", 0), ("--programs", 0), ("--seed", 1)];
    let [minutes, programs, seed] = numbers("hunt", options, arguments)?;
    let is_unlimited = minutes == 0 && programs == 0;
    Ok(Hunt { seed, minutes: if is_unlimited { 10 } else { minutes }, programs })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_in_any_order_and_ten_minutes_are_the_default() {
        let parse = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            parse(&words)
        };
        assert_eq!(parse("").unwrap(), Hunt { seed: 1, minutes: 10, programs: 0 });
        let expected = Hunt { seed: 4, minutes: 0, programs: 9 };
        assert_eq!(parse("--programs 9 --seed 4").unwrap(), expected);
        for wrong in ["--seed", "--seed x", "--count 1", "5"] {
            assert_eq!(parse(wrong).unwrap_err().exit_code(), 2, "{wrong}");
        }
    }
}
