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
    check(root, &toolchain).args(writes.then_some("--write")).run()
}

/// Returns the command that checks. It reads the definitions of the programs, and so it is built
/// with them and with LLVM.
pub(super) fn check(root: &Path, toolchain: &Toolchain) -> Process {
    Process::new("cargo")
        .args(["run", "--quiet", "--locked", "--package=dev-knobs", "--", "."])
        .variables(toolchain.environment())
        .directory(root)
}
