//! The files that a program was linked from, and the facts about device code that they state.

use std::collections::BTreeSet;
use std::path::Path;

use weft_artifact::{Guid, HostFacts, LinkSymbols, NamedKind};
use weft_cli::{Blame as _, Fault, files};
use weft_container::{
    RegisteredEntry, archive_members, embedded_architectures, host_facts, is_archive, is_bitcode,
    linked_program, missing_from_embedded,
};

/// Part of the name that clang gives to a `static` variable to which host code refers.
const RENAMED_STATIC: &str = "__static__";
/// First bytes of an object.
const ELF: &[u8] = b"\x7FELF";

/// All files of a link that were looked at.
#[derive(Debug, Default)]
pub(super) struct HostFiles {
    objects: Vec<HostObject>,
    /// Names and contents of objects whose code the linker made, which have no symbols that can be
    /// read.
    uncompiled: Vec<(String, Vec<u8>)>,
    paths: BTreeSet<std::path::PathBuf>,
}

/// An object or a shared library.
#[derive(Debug)]
pub(super) struct HostObject {
    /// Path of the file, and in brackets the member of an archive.
    pub(super) name: String,
    /// Architectures of the device code that the file carries for a device link.
    pub(super) architectures: BTreeSet<String>,
    /// Device names that the file registers and that its own device code lacks.
    unnamed: BTreeSet<String>,
    facts: HostFacts,
    /// Symbols that a shared library needs other files to define; empty for an object.
    needs: Vec<Guid>,
}

impl HostFiles {
    /// Whether no file of the link is known.
    pub(super) fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Reads a file, once.
    pub(super) fn add(&mut self, path: &Path) -> anyhow::Result<()> {
        if !self.paths.insert(path.to_owned()) {
            return Ok(());
        }
        let name = path.display().to_string();
        let content = files::read(path)?;
        if !is_archive(&content) {
            return self.add_object(name, &content);
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let members = archive_members(&content, |member| std::fs::read(folder.join(member)))
            .blame(Fault::Input, || name.clone())?;
        for member in members {
            self.add_object(format!("{name}({})", member.name), &member.content)?;
        }
        Ok(())
    }

    /// Reads a file as [`Self::add`] does, but skips a missing file with an absolute name: a
    /// compiler removes the files that it makes for its own link-time optimization, whose names are
    /// absolute. A relative name that leads nowhere belongs to another folder, and skipping it
    /// would mean skipping every file.
    pub(super) fn add_if_there(&mut self, path: &Path) -> anyhow::Result<()> {
        if path.is_absolute() && !path.exists() { Ok(()) } else { self.add(path) }
    }

    fn add_object(&mut self, name: String, content: &[u8]) -> anyhow::Result<()> {
        if let Some(linked) = linked_program(content).blame(Fault::Input, || name.clone())? {
            // The program itself may be among its inputs by name: only the symbols that it needs
            // count.
            let (facts, architectures, unnamed) = Default::default();
            let needs = linked.needs;
            self.objects.push(HostObject { name, architectures, unnamed, facts, needs });
            return Ok(());
        }
        let Some(mut facts) = host_facts(content).blame(Fault::Input, || name.clone())? else {
            // Any other file, such as a linker script, launches nothing.
            if is_bitcode(content) || content.starts_with(ELF) {
                self.uncompiled.push((name, content.to_owned()));
            }
            return Ok(());
        };
        // The linker has chosen already.
        facts.link = LinkSymbols::default();
        if facts == HostFacts::default() {
            return Ok(());
        }
        let architectures = embedded_architectures(content).blame(Fault::Input, || name.clone())?;
        let names = facts.entries.iter().map(|entry| entry.device_name.as_str());
        let renamed = names.filter(|name| name.contains(RENAMED_STATIC));
        let unnamed =
            missing_from_embedded(content, renamed).blame(Fault::Input, || name.clone())?;
        let needs = Vec::new();
        self.objects.push(HostObject { name, architectures, unnamed, facts, needs });
        Ok(())
    }

    /// Returns the objects that register `entry`.
    pub(super) fn owners<'files>(
        &'files self,
        entry: &'files RegisteredEntry,
    ) -> impl Iterator<Item = &'files HostObject> {
        self.objects.iter().filter(|object| object.registers(entry).next().is_some())
    }

    /// Returns the name of the first object that refers, or may refer, to the symbol that `entry`
    /// registers. `names` are the symbol's names in the linked program.
    pub(super) fn user(&self, entry: &RegisteredEntry, names: &BTreeSet<&str>) -> Option<&str> {
        let entries = || {
            self.objects.iter().flat_map(|object| {
                object.registers(entry).map(move |registered| (object, registered))
            })
        };
        if let Some((owner, _)) = entries().find(|(_, registered)| registered.host_symbol_is_local)
        {
            return Some(&owner.name);
        }
        let mut symbols: BTreeSet<Guid> =
            entries().map(|(_, registered)| registered.host_symbol).collect();
        symbols.extend(names.iter().copied().map(Guid::of_global));
        let object = self.objects.iter().find(|object| {
            symbols.iter().any(|&symbol| object.refers_to(symbol)) || object.names(entry)
        });
        let uncompiled = || {
            self.uncompiled.iter().find(|(_, content)| {
                names.is_empty() || names.iter().any(|name| holds(content, name.as_bytes()))
            })
        };
        let object = object.map(|object| object.name.as_str());
        object.or_else(|| uncompiled().map(|(name, _)| name.as_str()))
    }
}

/// Whether `content` holds the text `name`. Objects for link-time optimization hold the names of
/// their symbols as they are.
fn holds(content: &[u8], name: &[u8]) -> bool {
    memchr::memmem::find(content, name).is_some()
}

impl HostObject {
    /// Whether the file registers `entry`, which its own device code lacks.
    pub(super) fn lacks(&self, entry: &RegisteredEntry) -> bool {
        self.unnamed.contains(&entry.device_name)
    }

    fn registers(
        &self,
        entry: &RegisteredEntry,
    ) -> impl Iterator<Item = &weft_artifact::HostEntry> {
        self.facts.entries.iter().filter(|known| known.device_name == entry.device_name)
    }

    fn refers_to(&self, symbol: Guid) -> bool {
        self.facts.reference(symbol).is_some() || self.needs.binary_search(&symbol).is_ok()
    }

    /// Whether one of nvcc's host reference tables names the entry.
    fn names(&self, entry: &RegisteredEntry) -> bool {
        self.facts.named.iter().filter(|reference| !reference.internal).any(|reference| {
            let is_kernel = reference.kind == NamedKind::Kernel;
            let matches = match reference.pattern.split_once('*') {
                None => reference.pattern == entry.device_name,
                Some((start, _)) => entry.device_name.starts_with(start),
            };
            is_kernel == entry.is_kernel && matches
        })
    }
}
