//! `cargo xtask install PREFIX`: installs Weft for users of CMake and Bazel.

use std::path::Path;

use dev_checkout::{executables, installation};
use dev_process::{Error, Result};
use dev_toolchain::Scope;

/// The line in the table of commands.
pub(crate) const HELP: &str =
    "build the executables and install them, with the packages, to PREFIX";

/// Builds with optimization and installs.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let [prefix] = arguments else {
        return Err(Error::usage("usage: cargo xtask install PREFIX".to_owned()));
    };
    let toolchain = dev_toolchain::ensure(root, Scope::Builds)?;
    let executables = executables::build(root, &toolchain)?;
    installation::install(root, &executables, Path::new(prefix))?;
    println!("installed: cmake -DCMAKE_PREFIX_PATH={prefix} finds the package Weft");
    Ok(())
}
