//! The device link of a program, which the benches of kernels and of closing measure.
//!
//! Objects are kept from run to run. The device link, which for Weft is every step from `summarize`
//! on, runs again each time, so that its processor time (user and system, of all processes) can be
//! measured. The summary of a library's bitcode is kept as objects are, as it does not depend on
//! the program.

use std::path::{Path, PathBuf};
use std::thread;

use dev_builds::{BuildLog, Program, Settings, Target, Tools, Variant};
use dev_checkout::executables;
use dev_process::{Process, Result, processor_time};
use dev_toolchain::Scope;

/// Tools, and the folder of all programs of a bench.
pub(crate) struct Setup {
    pub(crate) folder: PathBuf,
    pub(crate) tools: Tools,
}

/// Result and cost of a build.
pub(crate) struct Spent {
    /// Seconds of processor time, of all processes.
    pub(crate) processor: f64,
    pub(crate) log: BuildLog,
}

impl Setup {
    /// Prepares a bench with the executables in a folder, or with those of the checkout at `root`.
    pub(crate) fn new(root: &Path, bench: &str, executables: Option<&Path>) -> Result<Self> {
        let toolchain = dev_toolchain::ensure(root, Scope::Builds)?;
        let executables = match executables {
            Some(folder) => folder.to_owned(),
            None => executables::build(root, &toolchain)?,
        };
        let folder = executables::target_folder(root)?.join("bench").join(bench);
        Ok(Self { folder, tools: Tools { toolchain, executables } })
    }

    /// Returns whether the thin link has an option.
    pub(crate) fn thinlink_has(&self, option: &str) -> Result<bool> {
        let thinlink = self.tools.executables.join("thinlink");
        Ok(Process::new(thinlink).arg("--help").quietly().capture()?.contains(option))
    }
}

/// Compiles the units that are not compiled yet, and then does the whole device link of a program,
/// up to the host object that registers the image.
pub(crate) fn link(program: &Program<'_>, variant: Variant, settings: &Settings) -> Result<Spent> {
    program.write_ninja(variant, settings)?;
    build(program, variant, Target::Objects)?;
    let is_weft = [Variant::Weft, Variant::Full, Variant::WeftNvcc].contains(&variant);
    if is_weft && !program.units().bitcode.is_empty() {
        build(program, variant, Target::Summaries)?;
    }
    program.forget_device_link(variant)?;
    build(program, variant, Target::Image)
}

/// Builds with as many commands at once as there are processors.
pub(crate) fn build(program: &Program<'_>, variant: Variant, target: Target) -> Result<Spent> {
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    let before = processor_time::of_children()?;
    let log = program.build(variant, target, jobs)?;
    Ok(Spent { processor: processor_time::of_children()? - before, log })
}
