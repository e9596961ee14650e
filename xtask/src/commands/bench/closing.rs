//! Options of `cargo xtask bench closing`.

use std::path::Path;

use super::arguments::{self, EXECUTABLES, Given, Known, QUICK, SEED, only};
use dev_bench::closing::{self, Options};
use dev_process::{Error, Result};
use dev_programs::FIRST;

pub(super) const OPTIONS: &[Known] = &[
    only("METRIC|PROGRAM", "measure this metric, or build this program; may come again"),
    QUICK,
    SEED,
    EXECUTABLES,
];

pub(super) fn run(root: &Path, given: &[Given]) -> Result<()> {
    closing::run(root, &options(given)?)
}

fn options(given: &[Given]) -> Result<Options> {
    let mut options = Options { seed: 1, ..Options::default() };
    for (name, value) in given.iter().cloned() {
        match name {
            "--quick" => options.quick = true,
            "--seed" => options.seed = arguments::number(name, &value)?,
            "--executables" => options.executables = Some(value.into()),
            _ if FIRST.contains(&value.as_str()) => options.programs.push(value),
            _ if closing::metrics().any(|metric| metric == value) => options.metrics.push(value),
            _ => {
                let known: Vec<&str> = closing::metrics().chain(FIRST).collect();
                let known = known.join(", ");
                let message = format!("--only takes one of {known}, got {value:?}");
                return Err(Error::usage(message));
            }
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options> {
        options(&arguments::parse_line(OPTIONS, line)?)
    }

    #[test]
    fn only_takes_metrics_and_programs() {
        let options = parse("--only ggml --only=wasted_share --quick --seed 7").unwrap();
        let expected = Options {
            metrics: vec!["wasted_share".to_owned()],
            programs: vec!["ggml".to_owned()],
            quick: true,
            seed: 7,
            executables: None,
        };
        assert_eq!(options, expected);
    }

    #[test]
    fn unknown_options_and_values_are_refused() {
        for line in ["--only nothing", "--only", "--quick=1", "--codegen x", "ggml", "--seed x"] {
            assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line}");
        }
    }
}
