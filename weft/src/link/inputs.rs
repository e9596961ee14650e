//! The inputs of a host link, as the device link sees them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use weft_artifact::{Digest, ModuleId, digest};
use weft_cli::{Blame as _, Fault, failure, files};
use weft_container::{
    LtoIrUse, Member, archive_members, embedded_modules, is_archive, is_bitcode, nvcc_units,
    registers_units,
};

use super::host_link::{HostInput, HostLink, is_script};
use super::libraries::is_shared;

/// An object or archive of the link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Input {
    pub(super) path: PathBuf,
    pub(super) module_id: ModuleId,
    /// Architectures of its modules that can be optimized, in order; none if it has host code alone
    /// or opaque device code.
    pub(super) architectures: BTreeSet<String>,
    /// Whether nvcc made units of it that wait for a registration.
    pub(super) has_nvcc_units: bool,
    /// Whether it has device code of NVIDIA's that goes to the device link as it is.
    pub(super) is_opaque: bool,
    /// Whether it registers units of nvcc, as the output of a device link does.
    pub(super) registers: bool,
    /// Whether the linker takes only those members that something needs.
    pub(super) is_archive: bool,
    /// Digest of the file.
    pub(super) digest: Digest,
}

/// Magic of ELF files.
const ELF: &[u8] = b"\x7fELF";

/// Paths that name the modules in temporary files, by the path of the file.
pub(crate) type Names = BTreeMap<PathBuf, String>;

/// Reads the inputs of a link. A shared library has an image of its own, so nothing is read of it.
/// `place` is the folder that the command runs in.
pub(super) fn inputs(link: &HostLink, place: &Path, names: &Names) -> anyhow::Result<Vec<Input>> {
    let mut inputs: Vec<Input> = Vec::new();
    for HostInput { path, is_whole } in &link.inputs {
        let is_known = inputs.iter().any(|input| input.path == *path);
        if is_known || is_shared(path) {
            continue;
        }
        let content = files::read(path)?;
        let name = names.get(path).map_or(path.as_path(), Path::new);
        let Some(mut input) = input(path, &content, module_id(name, place)?)? else { continue };
        input.is_archive &= !is_whole;
        if let Some(other) = inputs.iter().find(|other| other.module_id == input.module_id) {
            let (first, second) = (other.path.display(), path.display());
            let message = format!("{first} and {second} are one file by two names");
            return Err(failure(Fault::Usage, message));
        }
        inputs.push(input);
    }
    Ok(inputs)
}

/// Returns what the file at `path` holds; `None` if that is nothing.
fn input(path: &Path, content: &[u8], module_id: ModuleId) -> anyhow::Result<Option<Input>> {
    let name = || path.display().to_string();
    let members = if is_archive(content) {
        let folder = path.parent().unwrap_or(Path::new(""));
        archive_members(content, |member| std::fs::read(folder.join(member)))
            .blame(Fault::Input, name)?
    } else if content.starts_with(ELF) || is_bitcode(content) {
        vec![Member { name: String::new(), content: content.into() }]
    } else {
        return Err(is_script(path));
    };
    // Archives can be empty, as that of libdl is.
    if members.is_empty() {
        return Ok(None);
    }
    let mut input = Input {
        path: path.to_owned(),
        module_id,
        architectures: BTreeSet::new(),
        has_nvcc_units: false,
        is_opaque: false,
        registers: false,
        is_archive: is_archive(content),
        digest: digest(content),
    };
    for member in &members {
        let modules =
            embedded_modules(&member.content, LtoIrUse::Taken).blame(Fault::Input, name)?;
        let waits = !nvcc_units(&member.content).blame(Fault::Input, name)?.is_empty();
        input.is_opaque |= waits && modules.is_empty();
        input.has_nvcc_units |= waits;
        input.registers |= registers_units(&member.content).blame(Fault::Input, name)?;
        input.architectures.extend(modules);
    }
    Ok(Some(input))
}

/// Returns the architectures of all inputs, in order.
pub(super) fn architectures(inputs: &[Input]) -> BTreeSet<&str> {
    let all = inputs.iter().flat_map(|input| &input.architectures);
    all.map(String::as_str).collect()
}

/// Returns the id of the module in the file at `path`: the path from `place`, the folder of the
/// command, so that it is the same in each checkout.
fn module_id(path: &Path, place: &Path) -> anyhow::Result<ModuleId> {
    let absolute = place.join(path);
    let inside = absolute.strip_prefix(place).unwrap_or(&absolute);
    let mut parts: Vec<String> = Vec::new();
    for part in inside.components() {
        match part {
            std::path::Component::ParentDir if parts.last().is_some_and(|last| last != "..") => {
                parts.pop();
            }
            std::path::Component::CurDir | std::path::Component::RootDir => {}
            other => parts.push(other.as_os_str().to_string_lossy().into_owned()),
        }
    }
    ModuleId::new(parts.join("/")).blame(Fault::Usage, || path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_paths_from_the_folder_of_the_command() {
        let place = Path::new("/build");
        for (path, id) in [
            ("a.o", "a.o"),
            ("./src/../src/a.o", "src/a.o"),
            ("/build/src/a.o", "src/a.o"),
            ("/opt/lib/libx.a", "opt/lib/libx.a"),
        ] {
            assert_eq!(module_id(Path::new(path), place).unwrap().to_string(), id, "{path}");
        }
    }
}
