//! The offload entries of an object.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SymbolIndex};
use weft_artifact::{Guid, HostEntry, HostEntryKind};

use super::error::HostFactsError;
use super::names::{Names, Place};
use super::symbols::{File, name_to_linker, target_symbol};

/// Layout of an entry (`llvm/Frontend/Offloading/Utility.h` of LLVM). Places are offsets in it, in
/// bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct EntryLayout {
    /// Size of an entry, in bytes.
    size: usize,
    /// Place of the pointer to the host symbol.
    pub(crate) address: u64,
    /// Place of the pointer to the device name.
    pub(crate) name: u64,
    flags: usize,
    object_size: usize,
    /// Places of version and kind, `u16` each; none where entries are CUDA's alone.
    version_and_kind: Option<(usize, usize)>,
}

/// Layout of clang 20 and later: a reserved `u64` of zero, version and kind `u16`, flags `u32`,
/// address, name, size, data, and an auxiliary address of eight bytes each.
const LAYOUT: EntryLayout = EntryLayout {
    size: 56,
    address: 16,
    name: 24,
    flags: 12,
    object_size: 32,
    version_and_kind: Some((8, 10)),
};

/// Layout of clang before 20: address, name and size of eight bytes each, then flags and data
/// `u32`. The lower bits of the flags are the same in both.
const EARLY_LAYOUT: EntryLayout = EntryLayout {
    size: 32,
    address: 0,
    name: 8,
    flags: 24,
    object_size: 16,
    version_and_kind: None,
};

/// Section of the entries of clang 21 and later.
const SECTION: &str = "llvm_offload_entries";
/// Section of the entries of clang before 21. Those of clang 20 have the later layout, so in a
/// program the section may hold both.
const EARLY_SECTION: &str = "cuda_offloading_entries";

/// Returns whether a section holds entries.
pub(crate) fn holds_entries(section: &str) -> bool {
    [SECTION, EARLY_SECTION].contains(&section)
}

/// An entry in the content of a section.
pub(crate) struct Record<'a> {
    /// Place in the section, in bytes.
    pub(crate) start: u64,
    pub(crate) content: &'a [u8],
    pub(crate) layout: &'static EntryLayout,
}

/// Divides the content of a section into its entries; the last one may be truncated.
/// `is_pointer` says whether there is a pointer at a place of the section: the early layout begins
/// with one, the later with zeros.
pub(crate) fn records<'a>(
    section: &str,
    content: &'a [u8],
    is_pointer: impl Fn(u64) -> bool,
) -> Vec<Record<'a>> {
    let (mut records, mut rest, mut start) = (Vec::new(), content, 0);
    while !rest.is_empty() {
        let is_early = section == EARLY_SECTION && is_pointer(start);
        let layout = if is_early { &EARLY_LAYOUT } else { &LAYOUT };
        let (content, behind) = rest.split_at(layout.size.min(rest.len()));
        records.push(Record { start, content, layout });
        (rest, start) = (behind, start + content.len() as u64);
    }
    records
}

/// The only version of the layout that has versions.
const KNOWN_VERSION: u16 = 1;
/// Number of CUDA among the kinds of offloading.
const CUDA: u16 = 2;
/// Bits of the flags that distinguish variables, surfaces and textures.
const FLAGS_OF_TYPE: u32 = 7;
/// Largest value of these bits for plain and managed variables.
const LAST_VARIABLE: u32 = 1;

impl EntryLayout {
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
        let Some(section_name) = section.name().ok().filter(|name| holds_entries(name)) else {
            continue;
        };
        let targets: BTreeMap<_, _> = section.relocations().collect();
        let is_pointer = |place| targets.contains_key(&place);
        let records = records(section_name, section.data()?, is_pointer);
        for (position, Record { start, content, layout }) in (0..).zip(records) {
            let wrong = |fault| HostFactsError::Entry { position, fault };
            let target = |field: u64| targets.get(&(start + field));
            let Some(kind) = layout.read(content).map_err(wrong)? else { continue };
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
