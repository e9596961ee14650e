//! The offload entries of an object.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SymbolIndex};
use weft_artifact::{Guid, HostEntry, HostEntryKind};

use super::error::HostFactsError;
use super::names::{Names, Place};
use super::symbols::{File, name_to_linker, target_symbol};

/// Layout of the entries in one section (`llvm/Frontend/Offloading/Utility.h` of LLVM). Places are
/// offsets in an entry, in bytes.
pub(crate) struct EntryLayout {
    /// Name of the section.
    pub(crate) section: &'static str,
    /// Size of an entry, in bytes.
    pub(crate) size: usize,
    /// Place of the pointer to the host symbol.
    pub(crate) address: u64,
    /// Place of the pointer to the device name.
    pub(crate) name: u64,
    flags: usize,
    object_size: usize,
    /// Places of version and kind, `u16` each; none where the section is CUDA's alone.
    version_and_kind: Option<(usize, usize)>,
}

/// The layouts of clang 20 and later, and of clang before it.
///
/// The first has a reserved `u64`, version and kind `u16`, flags `u32`, address, name, size, data,
/// and an auxiliary address of eight bytes each. The second has address, name and size of eight
/// bytes each, then flags and data `u32`. The lower bits of the flags are the same in both.
pub(crate) const ENTRY_LAYOUTS: [EntryLayout; 2] = [
    EntryLayout {
        section: "llvm_offload_entries",
        size: 56,
        address: 16,
        name: 24,
        flags: 12,
        object_size: 32,
        version_and_kind: Some((8, 10)),
    },
    EntryLayout {
        section: "cuda_offloading_entries",
        size: 32,
        address: 0,
        name: 8,
        flags: 24,
        object_size: 16,
        version_and_kind: None,
    },
];

/// The only version of the layout that has versions.
const KNOWN_VERSION: u16 = 1;
/// Number of CUDA among the kinds of offloading.
const CUDA: u16 = 2;
/// Bits of the flags that distinguish variables, surfaces and textures.
const FLAGS_OF_TYPE: u32 = 7;
/// Largest value of these bits for plain and managed variables.
const LAST_VARIABLE: u32 = 1;

impl EntryLayout {
    /// Returns the layout of the entries in the section called `name`, if it holds entries.
    pub(crate) fn of_section(name: &str) -> Option<&'static Self> {
        ENTRY_LAYOUTS.iter().find(|layout| layout.section == name)
    }

    /// Reads the type of the object that an entry registers with CUDA; `None` if the entry is
    /// another language's.
    pub(crate) fn read(&self, record: &[u8]) -> Result<Option<HostEntryKind>, &'static str> {
        let short = |at: usize| Some(u16::from_le_bytes(record.get(at..at + 2)?.try_into().ok()?));
        let word = |at: usize| Some(u32::from_le_bytes(record.get(at..at + 4)?.try_into().ok()?));
        let truncated = "it is truncated";
        if record.len() != self.size {
            return Err(truncated);
        }
        if let Some((version, kind)) = self.version_and_kind {
            if short(version) != Some(KNOWN_VERSION) {
                return Err("its version is not 1: the object is of a clang after 22");
            }
            if short(kind) != Some(CUDA) {
                return Ok(None);
            }
        }
        let flags = word(self.flags).ok_or(truncated)?;
        let size = word(self.object_size).zip(word(self.object_size + 4)).ok_or(truncated)?;
        Ok(Some(match (size, flags & FLAGS_OF_TYPE) {
            ((0, 0), 0) => HostEntryKind::Kernel,
            (_, 0..=LAST_VARIABLE) => HostEntryKind::Variable,
            _ => HostEntryKind::Other,
        }))
    }
}

/// The host symbol of an entry, which may have several names.
pub(super) struct Registered {
    pub(super) kind: HostEntryKind,
    /// GUID of one of the names. A reference by it keeps the entry, as one by any other does.
    pub(super) guid: Guid,
    /// All symbols that lie in the definition; the entry's own one alone if it is undefined.
    pub(super) symbols: Vec<SymbolIndex>,
    /// Whether one of the names is local.
    pub(super) is_local: bool,
    /// The definition; `None` if another unit defines the symbol.
    pub(super) place: Option<Place>,
}

/// Returns the entries, sorted by device name, and their host symbols. A host symbol of several
/// names has an entry for each of them.
pub(super) fn entries(
    file: &File<'_>,
) -> Result<(Vec<HostEntry>, Vec<Registered>), HostFactsError> {
    let (mut entries, mut registered) = (Vec::new(), Vec::new());
    let names = OnceCell::new();
    for section in file.sections() {
        let Some(layout) = section.name().ok().and_then(EntryLayout::of_section) else { continue };
        let data = section.data()?;
        let targets: BTreeMap<_, _> = section.relocations().collect();
        for (position, record) in (0_u64..).zip(data.chunks(layout.size)) {
            let wrong = |fault| HostFactsError::Entry { position, fault };
            let start = position * layout.size as u64;
            let target = |field: u64| targets.get(&(start + field));
            let Some(kind) = layout.read(record).map_err(wrong)? else { continue };
            let address = target(layout.address).ok_or(wrong("it has no address"))?;
            let symbol = target_symbol(file, address)?;
            let names = names.get_or_init(|| Names::new(file));
            let host = symbol.and_then(|symbol| names.host_symbol(&symbol, address.addend()));
            let (symbols, place) = host.ok_or(wrong("its address names no symbol"))?;
            let name = target(layout.name).ok_or(wrong("it has no name"))?;
            let device_name = text(file, name)?.ok_or(wrong("its name is no text"))?;
            let (mut guids, mut is_local) = (Vec::new(), false);
            for &index in &symbols {
                let symbol = file.symbol_by_index(index)?;
                guids.push((Guid::of_global(name_to_linker(symbol.name()?)), symbol.is_local()));
                is_local |= symbol.is_local();
            }
            let &(guid, _) = guids.first().ok_or(wrong("its address names no symbol"))?;
            entries.extend(guids.into_iter().map(|(host_symbol, host_symbol_is_local)| {
                let device_name = device_name.clone();
                HostEntry { device_name, kind, host_symbol, host_symbol_is_local }
            }));
            registered.push(Registered { kind, guid, symbols, is_local, place });
        }
    }
    entries.sort_by(|one, other| {
        let key = |entry: &HostEntry| (entry.host_symbol, entry.host_symbol_is_local);
        one.device_name.cmp(&other.device_name).then_with(|| key(one).cmp(&key(other)))
    });
    entries.dedup();
    Ok((entries, registered))
}

/// Returns the text at a relocation's target.
fn text(file: &File<'_>, relocation: &object::Relocation) -> object::Result<Option<String>> {
    let Some(symbol) = target_symbol(file, relocation)? else {
        return Ok(None);
    };
    let Some(section) = symbol.section_index() else {
        return Ok(None);
    };
    let start = i128::from(symbol.address()) + i128::from(relocation.addend());
    let data = file.section_by_index(section)?.data()?;
    let tail = usize::try_from(start).ok().and_then(|start| data.get(start..));
    let length = tail.and_then(|tail| tail.iter().position(|&byte| byte == 0));
    Ok(tail.zip(length).and_then(|(tail, length)| String::from_utf8(tail[..length].to_vec()).ok()))
}
