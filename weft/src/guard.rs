//! The guard rejects programs whose host code registers kernels or variables that the device image
//! lacks.
//!
//! The CUDA runtime accepts such a program, which then fails when the kernel is launched, perhaps
//! on another machine and in a case that no test runs. How the device code was lost does not matter
//! here: the device link may not have been told of a library, another tool may have compiled an
//! object, or the manifest may be out of date. So the guard does not rely on the build's own
//! description of the program. It reads the file that the host linker made, which holds exactly the
//! archive members that were linked, and checks for each offload entry whether every image has it.
//! It reads the objects only where an entry is missing, to tell which file is to blame.
//!
//! An entry may be missing for one reason: the thin link removed it because nothing refers to it.
//! The thin link knew only the files that it was given, so its manifest is checked against the
//! files that the host linker read. Where one of those files refers to a removed kernel, the
//! removal was wrong for this program, regardless of the manifest's program.
//!
//! An object refers to a kernel by any name that its stub has. The names of an object are in the
//! object; others come about in the link (`--defsym`, linker scripts) and are in the linked
//! program, at the address of the entry's host symbol. By these addresses the runtime tells kernels
//! apart, so two of them at one address are a fault, too: a linker that folds equal code
//! (`--icf=all`) takes the stubs of all kernels with equal parameters for one.
//!
//! Clang's new driver registers kernels and variables by offload entries. Units of nvcc and of
//! clang's old driver contain their own registration code, and refer to a symbol that their own
//! device link defines for each unit: without that symbol the host linker already refuses them.
//!
//! It cannot be determined with certainty which members of an archive the linker left out, so a
//! reference in any member counts. A program is therefore refused where a member launches a removed
//! kernel, and then the kernel can be kept.
//!
//! Rejected: checking the objects before the link. That would save the link of a wrong program, but
//! would also refuse correct programs, as only the linker knows which members of an archive are
//! linked.

mod advice;
mod dependency_file;
mod findings;
mod host_files;
mod two_images;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use weft_artifact::Manifest;
use weft_cli::{Blame as _, Fault, failure, files, manifest};
use weft_container::{DeviceImage, device_images, linked_program};

use advice::BuildSystem;
use findings::{Program, findings};
use host_files::HostFiles;
use two_images::Linked;

/// Check that a linked program has all device code that its host code registers
#[derive(Args, Debug, Default)]
pub(crate) struct GuardArguments {
    /// The linked program or shared library
    pub(crate) program: PathBuf,
    /// Objects and archives that the program was linked from; `@FILE` stands for the lines of FILE,
    /// one path each
    ///
    /// They are read only where an entry is missing, to tell which of them registers or needs it.
    #[arg(value_name = "FILE")]
    pub(crate) linked_from: Vec<PathBuf>,
    /// A dependency file with the same list, as the host linker writes it for
    /// `-Wl,--dependency-file=FILE`
    ///
    /// May be repeated: of several files those that exist are read, at least one. Relative names in
    /// a dependency file count from the folder that the linker ran in, so the guard has to run
    /// there, too.
    #[arg(long, value_name = "FILE")]
    pub(crate) dependency_file: Vec<PathBuf>,
    /// A device image that must be in the program: a fat binary, cubin or PTX; may be repeated
    ///
    /// Without this option the guard takes the one fat binary that the program registers.
    #[arg(long, value_name = "FILE")]
    pub(crate) image: Vec<PathBuf>,
    /// A manifest of the thin link, which lists what it removed; may be repeated, for architectures
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest: Vec<PathBuf>,
    /// The build system in whose terms the advice is given
    #[arg(long, value_name = "SYSTEM", value_enum, default_value = "hand")]
    pub(crate) advice_for: BuildSystem,
    /// Remove the program if the check fails, so that no build goes on with it
    #[arg(long)]
    pub(crate) remove: bool,
    /// File for a copy of the program if the check succeeds
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Carries out `weft guard`.
pub(crate) fn guard(arguments: &GuardArguments) -> anyhow::Result<()> {
    let checked = check(arguments);
    if checked.is_err() && arguments.remove {
        // The error of the check is the one to report, and a program that does not exist is removed
        // already.
        let _ = fs::remove_file(&arguments.program);
    }
    let content = checked?;
    let Some(output) = &arguments.output else { return Ok(()) };
    files::write(output, &content)?;
    // A device such as `/dev/null`, and a pipe, keep their own permissions.
    if !output.is_file() {
        return Ok(());
    }
    let permissions = fs::metadata(&arguments.program).map(|data| data.permissions());
    permissions
        .and_then(|permissions| fs::set_permissions(output, permissions))
        .blame(Fault::Environment, || format!("cannot make {} a program", output.display()))
}

/// Returns the program's content if the check finds no fault.
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
    let program = Program { linked: &linked, images: &images, manifests: &manifests };
    let found = findings(&program, || {
        let mut host = HostFiles::default();
        for path in files::expand_responses(&arguments.linked_from)? {
            host.add(&path)?;
        }
        for path in dependency_file::inputs(&arguments.dependency_file)? {
            host.add_if_there(&path)?;
        }
        Ok(host)
    })?;
    if !found.is_empty() {
        return Err(failure(Fault::Input, advice::message(&name, &found, arguments.advice_for)));
    }
    let with_images = Linked { linked: &linked, images: &images };
    for warning in two_images::warnings(&name, &content, &with_images, || libraries(arguments))? {
        files::say(format!("weft: warning: {warning}\n"));
    }
    Ok(content)
}

/// Whether a file is a shared library by its name, which may end in a version.
pub(crate) fn is_shared_library(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".so") || name.contains(".so.")
}

/// Returns the shared libraries among the files that the program was linked from.
fn libraries(arguments: &GuardArguments) -> anyhow::Result<BTreeSet<PathBuf>> {
    let mut all = files::expand_responses(&arguments.linked_from)?;
    if arguments.dependency_file.iter().any(|file| file.exists()) {
        all.extend(dependency_file::inputs(&arguments.dependency_file)?);
    }
    Ok(all.into_iter().filter(|path| is_shared_library(path)).collect())
}

/// The images in the file `path`, each of which the program `name` must contain.
fn wanted<'data>(
    path: &Path,
    content: &'data [u8],
    carried: &[DeviceImage<'_>],
    name: &str,
) -> anyhow::Result<Vec<DeviceImage<'data>>> {
    let images = device_images(content).blame(Fault::Input, || path.display().to_string())?;
    for image in &images {
        if !carried.iter().any(|known| known.is_same(image)) {
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
