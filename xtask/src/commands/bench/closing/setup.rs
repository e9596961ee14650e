//! What all metrics are measured with, and the device link that they measure.

use std::path::PathBuf;

use dev_builds::{BuildLog, Program, Settings, Target, Tools, Variant};
use dev_process::{Process, Result, processor_time};

/// Tools and places.
pub(super) struct Setup {
    /// The folder of all programs of this bench.
    pub(super) folder: PathBuf,
    pub(super) tools: Tools,
}

/// What a build did.
pub(super) struct Spent {
    /// Seconds of processor time, of all processes.
    pub(super) processor: f64,
    pub(super) log: BuildLog,
}

impl Setup {
    /// Whether the thin link has an option.
    pub(super) fn thinlink_has(&self, option: &str) -> Result<bool> {
        let thinlink = self.tools.executables.join("thinlink");
        Ok(Process::new(thinlink).arg("--help").quietly().capture()?.contains(option))
    }
}

/// Compiles what is not compiled yet, and then does the whole device link of a program: all that the
/// objects go through up to the host object that registers the image.
pub(super) fn link(program: &Program<'_>, settings: &Settings) -> Result<Spent> {
    program.write_ninja(Variant::Weft, settings)?;
    build(program, Target::Objects)?;
    program.forget_device_link(Variant::Weft)?;
    build(program, Target::Image)
}

/// Builds with as many commands at once as there are processors.
pub(super) fn build(program: &Program<'_>, target: Target) -> Result<Spent> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let before = processor_time::of_children()?;
    let log = program.build(Variant::Weft, target, jobs)?;
    Ok(Spent { processor: processor_time::of_children()? - before, log })
}
