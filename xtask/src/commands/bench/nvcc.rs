//! Options of `cargo xtask bench nvcc`.

use std::path::Path;

use super::arguments::{self, EXECUTABLES, Given, Known, SEED, only};
use dev_bench::nvcc::{self, Options};
use dev_process::Result;

pub(super) const OPTIONS: &[Known] =
    &[only("PROGRAM", "build this program; may come again"), SEED, EXECUTABLES];

pub(super) fn run(root: &Path, given: &[Given]) -> Result<()> {
    nvcc::run(root, &options(given)?)
}

fn options(given: &[Given]) -> Result<Options> {
    let mut options = Options { seed: 1, ..Options::default() };
    for (name, value) in given.iter().cloned() {
        match name {
            "--only" => options.only.push(value),
            "--executables" => options.executables = Some(value.into()),
            _ => options.seed = arguments::number(name, &value)?,
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_with_their_values() {
        let line = "--only transport --seed=7 --executables=/x";
        let options = options(&arguments::parse_line(OPTIONS, line).unwrap());
        let only = vec!["transport".to_owned()];
        let expected = Options { only, seed: 7, executables: Some("/x".into()) };
        assert_eq!(options.unwrap(), expected);
    }
}
