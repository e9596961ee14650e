//! Options of `cargo xtask bench showcase`.

use std::path::Path;

use super::arguments::{self, EXECUTABLES, Given, Known};
use dev_bench::showcase::{self, Options};
use dev_process::{Error, Result};

pub(super) const OPTIONS: &[Known] = &[
    Known {
        name: "--units",
        value: "N",
        help: "build N units, spread over all; the whole takes hours on two processors",
    },
    EXECUTABLES,
];

pub(super) fn run(root: &Path, given: &[Given]) -> Result<()> {
    showcase::run(root, &options(given)?)
}

fn options(given: &[Given]) -> Result<Options> {
    let mut options = Options::default();
    for (name, value) in given.iter().cloned() {
        if name == "--executables" {
            options.executables = Some(value.into());
            continue;
        }
        let number = usize::try_from(arguments::number(name, &value)?).unwrap_or(usize::MAX);
        if number == 0 {
            return Err(Error::usage(format!("{name} takes a number from 1 on")));
        }
        options.units = Some(number);
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
    fn a_part_is_chosen_by_its_number_of_units() {
        assert_eq!(parse("").unwrap(), Options::default());
        let expected = Options { units: Some(12), executables: Some("/x".into()) };
        assert_eq!(parse("--units 12 --executables=/x").unwrap(), expected);
    }

    #[test]
    fn no_units_and_unknown_options_are_refused() {
        for line in ["--units", "--units=0", "--units many", "--only scale", "12"] {
            assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line}");
        }
    }
}
