//! What a build system makes of a large program: how long doing nothing takes, and how many inputs
//! there are to look at.
//!
//! Each build system is a file here with a function `measure`, which takes the [`Setup`].

mod bazel;
mod cmake;

use std::path::{Path, PathBuf};

use dev_checkout::{executables, installation::install};
use dev_process::Result;
use dev_programs::wide;
use dev_toolchain::{BuildSystems, Scope, Toolchain};

/// Units of the small and of the large program.
const SMALL: u32 = 50;
const LARGE: u32 = 300;
/// What the programs are generated from.
const SEED: u64 = 1;

/// What a build system is measured with.
struct Setup {
    root: PathBuf,
    toolchain: Toolchain,
    build_systems: BuildSystems,
    executables: PathBuf,
    scratch: PathBuf,
    /// Where Weft is installed: a change of the checkout does not meet builds that are measured.
    prefix: PathBuf,
}

impl Setup {
    /// A fresh program of this size for one build system, in a folder of its own.
    fn program(&self, build_system: &str, units: u32) -> Result<PathBuf> {
        let folder = self.scratch.join(build_system).join(units.to_string());
        wide::write(&folder, units, SEED)?;
        Ok(folder)
    }
}

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
    bazel::measure(&setup)
}
