//! Tools and programs for measuring build systems.

use std::path::PathBuf;

use dev_process::Result;
use dev_programs::wide;
use dev_toolchain::{BuildSystems, Toolchain};

/// Number of units of the small program, and of the large one.
pub(super) const SMALL: u32 = 50;
pub(super) const LARGE: u32 = 300;
/// Seed of the programs.
pub(super) const SEED: u64 = 1;

/// Tools and folders of the measurements.
pub(super) struct Setup {
    pub(super) root: PathBuf,
    pub(super) toolchain: Toolchain,
    pub(super) build_systems: BuildSystems,
    pub(super) executables: PathBuf,
    pub(super) scratch: PathBuf,
    /// Install tree of Weft, so that a change of the checkout does not affect the measured builds.
    pub(super) prefix: PathBuf,
}

impl Setup {
    /// Writes a fresh program of `units` units for one build system, and returns its folder.
    pub(super) fn program(&self, build_system: &str, units: u32) -> Result<PathBuf> {
        let folder = self.scratch.join(build_system).join(units.to_string());
        wide::write(&folder, units, SEED)?;
        Ok(folder)
    }
}
