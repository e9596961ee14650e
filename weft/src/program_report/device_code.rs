//! Device code that is no result of a job: images of linked programs, and cubins of other builds.

use std::path::{Path, PathBuf};

use anyhow::Error;
use weft_cli::{Blame as _, Fault, failure, files};
use weft_container::{device_images, is_relocatable_cubin, linked_program};
use weft_job::JobReport;

/// A cubin.
pub(super) struct Code {
    /// Name of the file that holds it.
    pub(super) file: String,
    pub(super) report: JobReport,
    /// Whether it is a linked image.
    pub(super) is_linked: bool,
}

/// Reads all cubins of linked programs and of fat binaries, and those in separate files.
pub(super) fn read_code(paths: &[PathBuf]) -> anyhow::Result<Vec<Code>> {
    let mut all = Vec::new();
    for path in paths {
        all.extend(code(path, &files::read(path)?, "no device code")?);
    }
    Ok(all)
}

/// Returns all cubins in `content`. The message about something else calls it `nothing`.
pub(super) fn code(path: &Path, content: &[u8], nothing: &str) -> anyhow::Result<Vec<Code>> {
    let file = path.display().to_string();
    let wrong = |reason: &str| failure(Fault::Input, format!("{file}: {reason}"));
    let program = linked_program(content).blame(Fault::Input, || file.clone())?;
    let images = program.as_ref().map_or(content, |program| program.fatbins);
    let images = device_images(images).map_err(|error| {
        let error: Error = error.into();
        wrong(&format!("{nothing}: {error:#}"))
    })?;
    let mut all = Vec::new();
    for cubin in images.iter().filter_map(|image| image.cubin()) {
        let report = JobReport::of_cubin(cubin).blame(Fault::Input, || file.clone())?;
        all.push(Code { file: file.clone(), report, is_linked: !is_relocatable_cubin(cubin) });
    }
    if all.is_empty() { Err(wrong("it holds no machine code that can be read")) } else { Ok(all) }
}
