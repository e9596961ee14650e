//! Cost of a large program in Bazel and CMake: the time of a build that has nothing to do, and the
//! number of declared inputs.
//!
//! Each part is a file here with a function `measure`, which takes the `Setup`.

mod bazel;
mod cmake;
mod programs;
mod setup;

use std::path::Path;

use dev_checkout::{executables, installation::install};
use dev_process::Result;
use dev_toolchain::{BuildSystems, Scope};
use setup::Setup;

/// A part of the bench.
type Part = (&'static str, fn(&Setup) -> Result<()>);

/// The parts of the bench, in their order.
const PARTS: [Part; 3] =
    [("cmake", cmake::measure), ("programs", programs::measure), ("bazel", bazel::measure)];

/// Returns the names of the parts, in their order.
pub fn parts() -> [&'static str; 3] {
    PARTS.map(|(name, _)| name)
}

/// Measures the parts whose names are `chosen`.
pub fn run(root: &Path, chosen: &[&str]) -> Result<()> {
    let toolchain = dev_toolchain::ensure(root, Scope::Tests)?;
    let build_systems = BuildSystems::find()?;
    let executables = executables::build(root, &toolchain)?;
    let scratch = executables::target_folder(root)?.join("bench/build");
    let prefix = scratch.join("prefix");
    install(root, &executables, &prefix)?;
    let executables = prefix.join("bin");
    let setup =
        Setup { root: root.to_owned(), toolchain, build_systems, executables, scratch, prefix };
    let parts = PARTS.iter().filter(|(name, _)| chosen.contains(name));
    parts.into_iter().try_for_each(|(_, measure)| measure(&setup))
}
