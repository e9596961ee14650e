//! `cargo xtask simulate`: predicts builds on clusters from measured jobs.

use std::path::Path;

use dev_checkout::executables;
use dev_process::{Process, Result};
use dev_toolchain::Scope;

/// The line in the table of commands.
pub(crate) const HELP: &str = "predict builds on clusters of 1 to 1,000 workers; --help says more";

/// Runs `dev-simulate`, which reads the arguments. Only measuring needs the toolchain.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let program = Process::new("cargo")
        .args(["run", "--release", "--quiet", "--locked", "--package=dev-simulate", "--"])
        .arg(root)
        .directory(root);
    if arguments.first().is_some_and(|first| ["gather", "classes"].contains(&first.as_str())) {
        let toolchain = dev_toolchain::ensure(root, Scope::Tests)?;
        let executables = executables::build(root, &toolchain)?;
        return program.variables(toolchain.environment()).arg(executables).args(arguments).run();
    }
    program.arg("").args(arguments).run()
}
