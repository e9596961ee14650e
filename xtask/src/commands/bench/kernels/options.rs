//! The bench's own command line.

use std::path::PathBuf;

use crate::commands::bench::arguments;
use dev_process::Result;

/// What may be chosen.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// The programs to build; none means all.
    pub(super) only: Vec<String>,
    /// Generate a program with a level of calls less.
    pub(super) quick: bool,
    /// Of the generated program.
    pub(super) seed: u64,
    /// More options for `backend-job codegen`.
    pub(super) codegen: Vec<String>,
    /// The folder of other executables than those of this checkout, to compare versions.
    pub(super) executables: Option<PathBuf>,
}

impl Options {
    pub(super) fn parse(arguments: &[String]) -> Result<Self> {
        let mut options = Self { seed: 1, ..Self::default() };
        let valued = ["--only", "--codegen", "--executables", "--seed"];
        for (name, value) in arguments::parse("kernels", &["--quick"], &valued, arguments)? {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options> {
        Options::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
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
    fn what_is_not_understood_is_refused() {
        for line in ["--fast", "--seed x", "--only", "--quick=1", "transport"] {
            assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line}");
        }
    }
}
