//! Options of `cargo xtask bench thinlink`.

use std::path::Path;

use super::arguments::{Given, Known, only};
use dev_bench::thinlink::{self, PARTS};
use dev_process::{Error, Result};

pub(super) const OPTIONS: &[Known] =
    &[only("PART", "measure small, dense, scale or large alone; may come again")];

pub(super) fn run(root: &Path, given: &[Given]) -> Result<()> {
    thinlink::run(root, &parts(given)?)
}

/// Returns the chosen parts; without a choice all.
fn parts(given: &[Given]) -> Result<Vec<&'static str>> {
    let chosen = given.iter().map(|(_, value)| {
        let part = PARTS.into_iter().find(|part| part == value);
        part.ok_or_else(|| {
            let parts = PARTS.join(", ");
            Error::usage(format!("bench thinlink takes --only with one of {parts}, not {value:?}"))
        })
    });
    let chosen = chosen.collect::<Result<Vec<_>>>()?;
    Ok(if chosen.is_empty() { PARTS.to_vec() } else { chosen })
}

#[cfg(test)]
mod tests {
    use super::super::arguments::parse_line;
    use super::*;

    #[test]
    fn parts_are_chosen_by_name() {
        let chosen = |line: &str| parts(&parse_line(OPTIONS, line)?);
        assert_eq!(chosen("").unwrap(), ["small", "dense", "scale", "large"]);
        assert_eq!(chosen("--only dense --only=small").unwrap(), ["dense", "small"]);
        for wrong in ["--only dens", "--only", "dense", "--only="] {
            assert_eq!(chosen(wrong).unwrap_err().exit_code(), 2, "{wrong:?}");
        }
    }
}
