//! `cargo xtask knobs`: checks the table of all options, or writes the page that shows it.

use std::path::Path;

use dev_process::{Error, Process, Result};
use dev_toolchain::{Scope, Toolchain};

/// The line in the table of commands.
pub(crate) const HELP: &str = "check the table of all options; --write makes docs/knobs.md";

/// Checks the table, or writes the page.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let writes = match arguments {
        [] => false,
        [option] if option == "--write" => true,
        _ => return Err(Error::usage("usage: cargo xtask knobs [--write]")),
    };
    let toolchain = dev_toolchain::ensure(root, Scope::Tests)?;
    run_program(root, &toolchain, writes)
}

/// Checks the table.
pub(super) fn check(root: &Path, toolchain: &Toolchain) -> Result<()> {
    run_program(root, toolchain, false)
}

/// Builds and runs the program that reads the definitions of the options.
///
/// It is linked with the programs of Weft, and so with LLVM. Built for the whole workspace, it
/// shares their libraries with the tests; of this package alone, cargo would choose other features
/// of the libraries below, and compile all C++ once more.
fn run_program(root: &Path, toolchain: &Toolchain, writes: bool) -> Result<()> {
    Process::new("cargo")
        .args(["build", "--quiet", "--locked", "--workspace", "--bins"])
        .variables(toolchain.environment())
        .directory(root)
        .run()?;
    Process::new(dev_checkout::executables::target_folder(root)?.join("debug/dev-knobs"))
        .arg(".")
        .args(writes.then_some("--write"))
        .directory(root)
        .run()
}
