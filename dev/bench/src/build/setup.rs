//! Tools and programs that build systems are measured with.

use std::path::PathBuf;

use dev_process::Result;
use dev_programs::wide;
use dev_toolchain::{BuildSystems, Toolchain};

/// Units of the small and of the large program.
pub(super) const SMALL: u32 = 50;
pub(super) const LARGE: u32 = 300;
/// What the programs are generated from.
pub(super) const SEED: u64 = 1;

/// What a build system is measured with.
pub(super) struct Setup {
    pub(super) root: PathBuf,
    pub(super) toolchain: Toolchain,
    pub(super) build_systems: BuildSystems,
    pub(super) executables: PathBuf,
    pub(super) scratch: PathBuf,
    /// Where Weft is installed: a change of the checkout does not meet builds that are measured.
    pub(super) prefix: PathBuf,
}

impl Setup {
    /// A fresh program of this size for one build system, in a folder of its own.
    pub(super) fn program(&self, build_system: &str, units: u32) -> Result<PathBuf> {
        let folder = self.scratch.join(build_system).join(units.to_string());
        wide::write(&folder, units, SEED)?;
        Ok(folder)
    }
}
