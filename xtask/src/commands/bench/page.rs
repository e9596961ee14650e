//! `cargo xtask bench page` runs the program of `dev-page`, which has dependencies from outside.

use std::path::Path;

use crate::commands::pictures;
use dev_process::Result;
use dev_toolchain::Scope;

/// Prints the figures of the page.
pub(super) fn run(root: &Path) -> Result<()> {
    let toolchain = dev_toolchain::ensure(root, Scope::Tests)?;
    pictures::program(root, &toolchain).arg("bench").run()
}
