//! The inputs of a host link, as the device link sees them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use weft_artifact::{Digest, ModuleId, best_fit, digest};
use weft_cli::{Blame as _, Fault, failure, files};
use weft_container::{
    LtoIrUse, Member, archive_members, embedded_modules, is_archive, is_bitcode, nvcc_units,
    registers_units,
};
use weft_workers::Workers;

use super::host_link::{HostInput, HostLink, is_script};
use crate::guard::is_shared_library;

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
    /// Digest of the file, and of the members of a thin archive, which are other files.
    pub(super) digest: Digest,
}

/// Magic of ELF files.
const ELF: &[u8] = b"\x7fELF";

/// Paths that name the modules in temporary files, by the path of the file.
pub(crate) type Names = BTreeMap<PathBuf, String>;

/// Reads the inputs of a link. Shared libraries have separate images, so they are not read. `place`
/// is the folder that the command runs in.
pub(super) fn inputs(
    link: &HostLink,
    place: &Path,
    names: &Names,
    workers: &Workers,
) -> anyhow::Result<Vec<Input>> {
    let files = linked_files(link);
    let read = |file: &&HostInput| {
        let name = names.get(&file.path).map_or(file.path.as_path(), Path::new);
        input(file, module_id(name, place)?)
    };
    let mut inputs: Vec<Input> = Vec::new();
    let mut ids: BTreeMap<ModuleId, usize> = BTreeMap::new();
    for input in workers.map(&files, read) {
        let Some(input) = input? else { continue };
        if let Some(other) = ids.insert(input.module_id.clone(), inputs.len()) {
            let (first, second) = (inputs[other].path.display(), input.path.display());
            let message = format!("{first} and {second} are one file by two names");
            return Err(failure(Fault::Usage, message));
        }
        inputs.push(input);
    }
    Ok(inputs)
}

/// Returns the files whose content becomes part of the output, each once: all but shared libraries.
pub(super) fn linked_files(link: &HostLink) -> Vec<&HostInput> {
    let mut paths = BTreeSet::new();
    let files = link.inputs.iter().filter(|file| paths.insert(&file.path));
    files.filter(|file| !is_shared_library(&file.path)).collect()
}

/// Returns what a file of the link holds; `None` if that is nothing.
fn input(file: &HostInput, module_id: ModuleId) -> anyhow::Result<Option<Input>> {
    let HostInput { path, is_whole } = file;
    let name = || path.display().to_string();
    let content = files::read(path)?;
    let members = members(path, &content)?;
    // Archives can be empty, as that of libdl is.
    if members.is_empty() {
        return Ok(None);
    }
    let mut input = Input {
        path: path.clone(),
        module_id,
        architectures: BTreeSet::new(),
        has_nvcc_units: false,
        is_opaque: false,
        registers: false,
        is_archive: is_archive(&content) && !is_whole,
        digest: content_digest(&content, &members),
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

/// Returns the members of an archive, those of a thin one with the contents of their files; or
/// another file as the only one, without a name.
pub(super) fn members<'data>(
    path: &Path,
    content: &'data [u8],
) -> anyhow::Result<Vec<Member<'data>>> {
    if is_archive(content) {
        let folder = path.parent().unwrap_or(Path::new(""));
        archive_members(content, |member| std::fs::read(folder.join(member)))
            .blame(Fault::Input, || path.display().to_string())
    } else if content.starts_with(ELF) || is_bitcode(content) {
        Ok(vec![Member { name: String::new(), content: content.into() }])
    } else {
        Err(is_script(path))
    }
}

/// Returns the digest of a file, with that of each member which the file does not hold itself.
fn content_digest(file: &[u8], members: &[Member<'_>]) -> Digest {
    let elsewhere = members.iter().filter_map(|member| match &member.content {
        Cow::Owned(content) => Some(digest(content)),
        Cow::Borrowed(_) => None,
    });
    let elsewhere: Vec<u8> = elsewhere.flat_map(|digest| *digest.as_bytes()).collect();
    let own = digest(file);
    if elsewhere.is_empty() { own } else { digest(&[&own.as_bytes()[..], &elsewhere].concat()) }
}

impl Input {
    /// Whether the input has modules for images for `architecture`.
    pub(super) fn fits(&self, architecture: &str) -> bool {
        best_fit(self.architectures.iter().map(String::as_str), architecture).is_some()
    }
}

/// Returns the architectures that get an image, in order, and a note about each architecture
/// without code in some input. If no architecture has code in all inputs, each gets an image, and
/// summarize then reports the missing code.
pub(super) fn architectures(inputs: &[Input]) -> (Vec<&str>, Vec<String>) {
    let all: BTreeSet<&str> =
        inputs.iter().flat_map(|input| &input.architectures).map(String::as_str).collect();
    let without = |architecture: &str| {
        inputs.iter().find(|input| !input.architectures.is_empty() && !input.fits(architecture))
    };
    let (linked, others): (Vec<&str>, Vec<&str>) =
        all.iter().copied().partition(|architecture| without(architecture).is_none());
    if linked.is_empty() {
        return (others, Vec::new());
    }
    let note = |architecture: &str| {
        let path = without(architecture)?.path.display().to_string();
        Some(format!("no image for {architecture}, as {path} has no code that fits into it"))
    };
    (linked, others.into_iter().filter_map(note).collect())
}

/// Positions of the inputs by their ids. The ids of an archive's modules, and of those of an object
/// that holds several, begin with the input's.
pub(super) struct Owners<'a>(BTreeMap<&'a str, usize>);

impl<'a> Owners<'a> {
    pub(super) fn of(inputs: &'a [Input]) -> Self {
        let all = inputs.iter().enumerate();
        Self(all.map(|(position, input)| (input.module_id.as_str(), position)).collect())
    }

    /// Returns the position of the input with the module `id`.
    pub(super) fn position(&self, id: &str) -> anyhow::Result<usize> {
        let ends = id.match_indices(['/', '~']).map(|(end, _)| end).chain([id.len()]);
        let found = ends.rev().find_map(|end| self.0.get(&id[..end]).copied());
        found.ok_or_else(|| failure(Fault::Tool, format!("no input has the module '{id}'")))
    }
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

    #[test]
    fn modules_belong_to_the_input_with_the_longest_beginning_of_their_id() {
        let positions = [("lib/libx.a", 0), ("lib/libx.a/b.o", 1), ("c~1.o", 2)];
        let owners = Owners(positions.into());
        for (id, position) in [
            ("lib/libx.a/a.o", 0),
            ("lib/libx.a/a.o~2~module3", 0),
            ("lib/libx.a/b.o", 1),
            ("c~1.o", 2),
            ("c~1.o~module2", 2),
        ] {
            assert_eq!(owners.position(id).unwrap(), position, "{id}");
        }
        assert!(owners.position("lib/liby.a/a.o").is_err());
        assert!(owners.position("c").is_err());
    }
}
