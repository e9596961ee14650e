//! Options of `cargo xtask bench link`.

use std::path::Path;

use super::arguments::{self, EXECUTABLES, Given, Known};
use dev_bench::link::{self, Options};
use dev_process::Result;

/// Number of units unless another one is given.
const UNITS: u32 = 1000;

pub(super) const OPTIONS: &[Known] =
    &[Known { name: "--units", value: "N", help: "link a program of N tiny units" }, EXECUTABLES];

pub(super) fn run(root: &Path, given: &[Given]) -> Result<()> {
    link::run(root, &options(given)?)
}

fn options(given: &[Given]) -> Result<Options> {
    let mut options = Options { units: UNITS, executables: None };
    for (name, value) in given.iter().cloned() {
        if name == "--executables" {
            options.executables = Some(value.into());
        } else {
            let units = arguments::number(name, &value)?;
            options.units = u32::try_from(units).unwrap_or(UNITS);
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_units_is_an_option() {
        let parsed = |line| options(&arguments::parse_line(OPTIONS, line).unwrap()).unwrap();
        assert_eq!(parsed(""), Options { units: 1000, executables: None });
        assert_eq!(parsed("--units 30"), Options { units: 30, executables: None });
    }
}
