//! `cargo xtask pictures`: builds the example and makes the pictures of its report's page.

use std::path::Path;

use super::arguments::takes_no_arguments;
use dev_checkout::executables;
use dev_process::{Process, Result};
use dev_toolchain::{Scope, Toolchain};

/// The line in the table of commands.
pub(crate) const HELP: &str = "build the example and write the README's pictures of its report";

/// Writes the pictures.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    takes_no_arguments("pictures", arguments)?;
    let toolchain = dev_toolchain::ensure(root, Scope::Tests)?;
    let executables = executables::build(root, &toolchain)?;
    program(root, &toolchain)
        .arg("pictures")
        // CMake takes a relative folder for one below its own.
        .arg(root)
        .args([&toolchain.llvm_prefix, &toolchain.cuda_root, &executables])
        .run()
}

/// Returns the command that runs `dev-page`, without its arguments.
pub(super) fn program(root: &Path, toolchain: &Toolchain) -> Process {
    Process::new("cargo")
        .args(["run", "--release", "--quiet", "--locked", "--package=dev-page", "--"])
        .variables(toolchain.environment())
        .directory(root)
}
