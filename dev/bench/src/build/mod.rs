//! Cost of a large program in Bazel and CMake: the time of a build that has nothing to do, and the
//! number of declared inputs.
//!
//! Each build system is a file here with a function `measure`, which takes the `Setup`.

mod bazel;
mod cmake;
mod programs;
mod setup;

use std::path::Path;

use dev_checkout::{executables, installation::install};
use dev_process::Result;
use dev_toolchain::{BuildSystems, Scope};
use setup::Setup;

/// Measures every build system.
pub fn run(root: &Path) -> Result<()> {
    let toolchain = dev_toolchain::ensure(root, Scope::Tests)?;
    let build_systems = BuildSystems::find()?;
    let executables = executables::build(root, &toolchain)?;
    let scratch = executables::target_folder(root)?.join("bench/build");
    let prefix = scratch.join("prefix");
    install(root, &executables, &prefix)?;
    let executables = prefix.join("bin");
    let setup =
        Setup { root: root.to_owned(), toolchain, build_systems, executables, scratch, prefix };
    cmake::measure(&setup)?;
    programs::measure(&setup)?;
    bazel::measure(&setup)
}
