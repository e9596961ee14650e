//! The files that a program was linked from, and the facts about device code that they state.

use std::collections::BTreeSet;
use std::path::Path;

use weft_artifact::{Guid, HostFacts, LinkSymbols, NamedKind};
use weft_cli::{Blame as _, Fault, files};
use weft_container::{
    RegisteredEntry, archive_members, embedded_architectures, host_facts, is_archive,
    linked_program,
};

/// All files of a link that were looked at.
#[derive(Debug, Default)]
pub(super) struct HostFiles {
    objects: Vec<HostObject>,
    paths: BTreeSet<std::path::PathBuf>,
}

/// An object or a shared library.
#[derive(Debug)]
pub(super) struct HostObject {
    /// Path of the file, and in brackets the member of an archive.
    pub(super) name: String,
    /// Architectures of the device code that the file carries for a device link.
    pub(super) architectures: BTreeSet<String>,
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
            let (facts, architectures) = (HostFacts::default(), BTreeSet::new());
            self.objects.push(HostObject { name, architectures, facts, needs: linked.needs });
            return Ok(());
        }
        // A file that is not an object, such as a linker script, launches nothing.
        let Some(mut facts) = host_facts(content).blame(Fault::Input, || name.clone())? else {
            return Ok(());
        };
        // The linker has chosen already.
        facts.link = LinkSymbols::default();
        if facts == HostFacts::default() {
            return Ok(());
        }
        let architectures = embedded_architectures(content).blame(Fault::Input, || name.clone())?;
        self.objects.push(HostObject { name, architectures, facts, needs: Vec::new() });
        Ok(())
    }

    /// Returns the objects that register `entry`.
    pub(super) fn owners<'files>(
        &'files self,
        entry: &'files RegisteredEntry,
    ) -> impl Iterator<Item = &'files HostObject> {
        self.objects.iter().filter(|object| object.registers(entry).next().is_some())
    }

    /// Returns the first object that refers, or may refer, to the symbol that `entry` registers.
    pub(super) fn user(&self, entry: &RegisteredEntry) -> Option<&HostObject> {
        let entries = || {
            self.objects.iter().flat_map(|object| {
                object.registers(entry).map(move |registered| (object, registered))
            })
        };
        if let Some((owner, _)) = entries().find(|(_, registered)| registered.host_symbol_is_local)
        {
            return Some(owner);
        }
        let symbols: BTreeSet<Guid> =
            entries().map(|(_, registered)| registered.host_symbol).collect();
        self.objects.iter().find(|object| {
            symbols.iter().any(|&symbol| object.refers_to(symbol)) || object.names(entry)
        })
    }
}

impl HostObject {
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
