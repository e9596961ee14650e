//! Options of `cargo xtask bench thinlink`.

use std::path::Path;

use super::arguments::{Given, Known, chosen, only};
use dev_bench::thinlink::{self, PARTS};
use dev_process::Result;

pub(super) const OPTIONS: &[Known] =
    &[only("PART", "measure small, dense, scale or large alone; may come again")];

pub(super) fn run(root: &Path, given: &[Given]) -> Result<()> {
    thinlink::run(root, &chosen("thinlink", &PARTS, given)?)
}

#[cfg(test)]
mod tests {
    use super::super::arguments::parse_line;
    use super::*;

    #[test]
    fn parts_are_chosen_by_name() {
        let parts = |line: &str| chosen("thinlink", &PARTS, &parse_line(OPTIONS, line)?);
        assert_eq!(parts("").unwrap(), ["small", "dense", "scale", "large"]);
        assert_eq!(parts("--only dense --only=small").unwrap(), ["dense", "small"]);
        for wrong in ["--only dens", "--only", "dense", "--only="] {
            assert_eq!(parts(wrong).unwrap_err().exit_code(), 2, "{wrong:?}");
        }
    }
}
