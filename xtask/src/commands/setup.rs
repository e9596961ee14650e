//! `cargo xtask setup`: installs the missing tools for building and testing Weft.

use std::path::Path;

use super::arguments::takes_no_arguments;
use dev_process::{Result, Stopwatch};
use dev_toolchain::{BuildSystems, Scope};

/// The line in the table of commands.
pub(crate) const HELP: &str = "install what is missing of clang, LLVM, CUDA and the tests' servers";

/// Installs the missing tools and prints the place of each.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    takes_no_arguments("setup", arguments)?;
    let stopwatch = Stopwatch::start();
    let toolchain = dev_toolchain::ensure(root, Scope::Tests)?;
    let BuildSystems { cmake, bazel } = BuildSystems::find()?;
    dev_toolchain::servers::ensure(root)?;
    let build_systems = [("cmake", cmake.as_path()), ("bazel", bazel.as_path())];
    for (name, path) in toolchain.tools().into_iter().chain(build_systems) {
        println!("{name:20}  {}", path.display());
    }
    println!("everything is here ({stopwatch})");
    Ok(())
}
