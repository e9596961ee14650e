//! The guard: no program whose host code registers what its device image lacks.
//!
//! The CUDA runtime takes such a program. It fails when the kernel is launched, perhaps on another
//! machine and in a case that no test runs. How the device code was lost does not matter here: a
//! library that the device link was not told of, an object that another tool compiled, a manifest of
//! yesterday. So the guard takes nothing from the build's own idea of the program. It reads what the
//! host linker made, which holds exactly the archive members that were taken in, and asks for each
//! offload entry whether every image has it. Only where one does not, it reads the objects, to tell
//! which file is to blame.
//!
//! One thing may be missing: what the thin link removed because nothing refers to it. It knew only
//! the files that it was given, so its word is held against the files that the host linker read.
//! Where one of those refers to a removed kernel, the removal was wrong for this program, whichever
//! program the manifest is of.
//!
//! Offload entries are what clang's new driver registers by. Units of nvcc and of clang's old driver
//! register themselves by code of their own, and refer to a symbol that their own device link defines
//! for each unit: without it the host linker refuses them already.
//!
//! Which members of an archive the linker left out cannot be told for sure, so a reference in any
//! member counts. That keeps a program from being linked where the member launches a removed kernel,
//! and then the kernel can be kept.
//!
//! Rejected: looking at the objects before the link. It would save the link of a wrong program, and
//! would refuse right ones, as which members of an archive are linked only the linker knows.

mod advice;
mod dependency_file;
mod host_files;
mod verdict;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use weft_artifact::Manifest;
use weft_cli::{Blame as _, Fault, failure, files};
use weft_container::{DeviceImage, device_images, linked_program};

use crate::program_report::manifest;
use advice::BuildSystem;
use host_files::HostFiles;
use verdict::{Program, faults};

#[derive(Args, Debug)]
pub(crate) struct GuardArguments {
    /// The linked program or shared library
    program: PathBuf,
    /// Objects and archives that it was linked from; `@FILE` stands for the lines of FILE, one path each
    ///
    /// They are read where something is missing, to tell which of them registers or needs it.
    #[arg(value_name = "FILE")]
    linked_from: Vec<PathBuf>,
    /// The same, as the host linker writes it when it is told `-Wl,--dependency-file=FILE`
    ///
    /// May be repeated: of several files those that are there are read, at least one. Relative names in
    /// it count from the folder that the linker ran in, so the guard has to run there, too.
    #[arg(long, value_name = "FILE")]
    dependency_file: Vec<PathBuf>,
    /// A device image that is to be in the program: a fat binary, cubin or PTX; may be repeated
    ///
    /// Without it the one fat binary that the program registers.
    #[arg(long, value_name = "FILE")]
    image: Vec<PathBuf>,
    /// What the thin link wrote, for what it removed; may be repeated, for architectures
    #[arg(long, value_name = "FILE")]
    manifest: Vec<PathBuf>,
    /// Whose words to use for what to do
    #[arg(long, value_name = "SYSTEM", value_enum, default_value = "hand")]
    advice_for: BuildSystem,
    /// Remove the program if it is not as it should be, so that no build goes on with it
    #[arg(long)]
    remove: bool,
    /// Where to put a copy of the program if it is as it should be
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// `backend-job guard`.
pub(crate) fn guard(arguments: &GuardArguments) -> anyhow::Result<()> {
    let checked = check(arguments);
    if checked.is_err() && arguments.remove {
        // The first error is the one to tell. A program that is not there is removed already.
        let _ = fs::remove_file(&arguments.program);
    }
    let content = checked?;
    let Some(output) = &arguments.output else { return Ok(()) };
    files::write(output, &content)?;
    let permissions = fs::metadata(&arguments.program).map(|it| it.permissions());
    permissions
        .and_then(|permissions| fs::set_permissions(output, permissions))
        .blame(Fault::Environment, || format!("cannot make {} a program", output.display()))
}

/// The program's content, if all is well with it.
fn check(arguments: &GuardArguments) -> anyhow::Result<Vec<u8>> {
    let path = &arguments.program;
    let name = path.display().to_string();
    let content = files::read(path)?;
    let linked =
        linked_program(&content).blame(Fault::Input, || name.clone())?.ok_or_else(|| {
            failure(Fault::Input, format!("{name}: no linked program and no shared library"))
        })?;
    let carried = device_images(linked.fatbins).blame(Fault::Input, || name.clone())?;
    let given: Vec<_> =
        arguments.image.iter().map(|path| files::read(path)).collect::<anyhow::Result<_>>()?;
    let images = if given.is_empty() {
        if linked.registrations > 1 && !linked.entries.is_empty() {
            let count = linked.registrations;
            let message =
                format!("{name}: it registers {count} fat binaries: say which with --image");
            return Err(failure(Fault::Usage, message));
        }
        carried
    } else {
        let mut images = Vec::new();
        for (path, content) in arguments.image.iter().zip(&given) {
            images.extend(wanted(path, content, &carried, &name)?);
        }
        images
    };
    let manifests: Vec<(String, Manifest)> = arguments
        .manifest
        .iter()
        .map(|path| Ok((path.display().to_string(), manifest(path)?)))
        .collect::<anyhow::Result<_>>()?;
    let program = Program { entries: &linked.entries, images: &images, manifests: &manifests };
    let found = faults(&program, || {
        let mut host = HostFiles::default();
        for path in files::expand_responses(&arguments.linked_from)? {
            host.add(&path)?;
        }
        for path in dependency_file::inputs(&arguments.dependency_file)? {
            host.add_if_there(&path)?;
        }
        Ok(host)
    })?;
    if found.is_empty() {
        return Ok(content);
    }
    Err(failure(Fault::Input, advice::message(&name, &found, arguments.advice_for)))
}

/// The images in the file `path`, each of which the program `name` has to carry.
fn wanted<'data>(
    path: &Path,
    content: &'data [u8],
    carried: &[DeviceImage<'_>],
    name: &str,
) -> anyhow::Result<Vec<DeviceImage<'data>>> {
    let images = device_images(content).blame(Fault::Input, || path.display().to_string())?;
    for image in &images {
        if !carried.iter().any(|it| it.is_same(image)) {
            let (path, architecture) = (path.display(), &image.architecture);
            let message = format!(
                "{name}: it does not hold the image for {architecture} that is in {path}: link the \
                 object that registers that image"
            );
            return Err(failure(Fault::Input, message));
        }
    }
    Ok(images)
}
