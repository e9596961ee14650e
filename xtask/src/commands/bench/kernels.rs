//! Options of `cargo xtask bench kernels`.

use std::path::Path;

use super::arguments::{self, EXECUTABLES, Given, Known, QUICK, SEED, only};
use dev_bench::kernels::{self, Options};
use dev_process::Result;

pub(super) const OPTIONS: &[Known] = &[
    only("PROGRAM", "build this program; may come again"),
    QUICK,
    SEED,
    Known {
        name: "--codegen",
        value: "OPTION",
        help: "give OPTION to `backend-job codegen`; may come again",
    },
    EXECUTABLES,
];

pub(super) fn run(root: &Path, given: &[Given]) -> Result<()> {
    kernels::run(root, &options(given)?)
}

fn options(given: &[Given]) -> Result<Options> {
    let mut options = Options { seed: 1, ..Options::default() };
    for (name, value) in given.iter().cloned() {
        match name {
            "--quick" => options.quick = true,
            "--only" => options.only.push(value),
            "--codegen" => options.codegen.push(value),
            "--executables" => options.executables = Some(value.into()),
            _ => options.seed = arguments::number(name, &value)?,
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
    fn options_come_with_their_values() {
        let options = parse(
            "--only transport --quick --seed=7 --codegen --inline-model=llvm --executables=/x",
        );
        let expected = Options {
            only: vec!["transport".to_owned()],
            quick: true,
            seed: 7,
            codegen: vec!["--inline-model=llvm".to_owned()],
            executables: Some("/x".into()),
        };
        assert_eq!(options.unwrap(), expected);
    }

    #[test]
    fn unknown_options_and_missing_values_are_refused() {
        for line in ["--fast", "--seed x", "--only", "--quick=1", "transport"] {
            assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line}");
        }
    }
}
