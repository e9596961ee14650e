//! `cargo xtask dist`: makes what users get of Weft.

use std::path::Path;

use dev_process::{Error, Process, Result};
use dev_toolchain::Scope;

/// The line in the table of commands.
pub(crate) const HELP: &str =
    "make an archive, a Debian package and a Python wheel; --verify builds twice and compares";

/// Makes the packages, by a separate program, because that depends on crates that this one avoids.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let verifies = match arguments {
        [] => false,
        [option] if option == "--verify" => true,
        _ => return Err(Error::usage("usage: cargo xtask dist [--verify]")),
    };
    let toolchain = dev_toolchain::ensure(root, Scope::Builds)?;
    Process::new("cargo")
        .args(["run", "--release", "--quiet", "--locked", "--package=dev-dist", "--"])
        .arg(root)
        .args(verifies.then_some("--verify"))
        .variables(toolchain.environment())
        .directory(root)
        .run()
}
