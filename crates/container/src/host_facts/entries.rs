//! The offload entries of an object.

use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SymbolIndex};
use weft_artifact::{Guid, HostEntry, HostEntryKind};

use super::error::HostFactsError;
use super::symbols::{File, Symbol, section_symbol, target_symbol};

/// Section of the offload entries.
pub(crate) const ENTRIES_SECTION: &str = "llvm_offload_entries";

/// Layout of an entry (LLVM 22, `llvm/Frontend/Offloading/Utility.h`): reserved `u64`, version and
/// kind `u16`, flags `u32`, address, name, size, data, auxiliary address of eight bytes each.
pub(crate) mod entry {
    pub(crate) const SIZE: usize = 56;
    pub(crate) const VERSION: usize = 8;
    pub(crate) const KIND: usize = 10;
    pub(crate) const FLAGS: usize = 12;
    pub(crate) const ADDRESS: u64 = 16;
    pub(crate) const NAME: u64 = 24;
    pub(crate) const OBJECT_SIZE: usize = 32;
    /// The only version of the layout so far.
    pub(crate) const KNOWN_VERSION: u16 = 1;
    /// Number of CUDA among the kinds of offloading.
    pub(crate) const CUDA: u16 = 2;
    /// Bits of the flags that distinguish variables, surfaces and textures.
    pub(crate) const FLAGS_OF_TYPE: u32 = 7;
    /// Largest value of these bits for plain and managed variables.
    pub(crate) const LAST_VARIABLE: u32 = 1;
}

/// The host symbol of an entry.
#[derive(Clone, Copy)]
pub(super) struct Registered {
    pub(super) symbol: SymbolIndex,
    pub(super) guid: Guid,
    pub(super) kind: HostEntryKind,
    pub(super) is_local: bool,
}

/// Returns the entries, sorted by device name, and their host symbols.
pub(super) fn entries(
    file: &File<'_>,
) -> Result<(Vec<HostEntry>, Vec<Registered>), HostFactsError> {
    let (mut entries, mut registered) = (Vec::new(), Vec::new());
    for section in file.sections().filter(|section| section.name() == Ok(ENTRIES_SECTION)) {
        let data = section.data()?;
        let targets: Vec<_> = section.relocations().collect();
        for (position, record) in (0_u64..).zip(data.chunks(entry::SIZE)) {
            let wrong = |fault| HostFactsError::Entry { position, fault };
            let start = position * entry::SIZE as u64;
            let target = |field: u64| {
                targets
                    .iter()
                    .find(|(offset, _)| *offset == start + field)
                    .map(|(_, target)| target)
            };
            let (kind, host_type) = read_record(record).map_err(wrong)?;
            if kind != entry::CUDA {
                continue;
            }
            let address = target(entry::ADDRESS).ok_or(wrong("it has no address"))?;
            let host = host_symbol(file, address)?.ok_or(wrong("its address names no symbol"))?;
            let name = target(entry::NAME).ok_or(wrong("it has no name"))?;
            let (guid, is_local) = (Guid::of_global(host.name()?), host.is_local());
            entries.push(HostEntry {
                device_name: text(file, name)?.ok_or(wrong("its name is no text"))?,
                kind: host_type,
                host_symbol: guid,
                host_symbol_is_local: is_local,
            });
            registered.push(Registered { symbol: host.index(), guid, kind: host_type, is_local });
        }
    }
    entries.sort_by(|one, other| one.device_name.cmp(&other.device_name));
    Ok((entries, registered))
}

/// Reads the kind of offloading and the type of the object that an entry registers.
pub(crate) fn read_record(record: &[u8]) -> Result<(u16, HostEntryKind), &'static str> {
    let short = |at: usize| Some(u16::from_le_bytes(record.get(at..at + 2)?.try_into().ok()?));
    let word = |at: usize| Some(u32::from_le_bytes(record.get(at..at + 4)?.try_into().ok()?));
    let truncated = "it is truncated";
    if record.len() != entry::SIZE {
        return Err(truncated);
    }
    if short(entry::VERSION) != Some(entry::KNOWN_VERSION) {
        return Err("its version is not 1: the object is of another clang than 22");
    }
    let flags = word(entry::FLAGS).ok_or(truncated)?;
    let size = word(entry::OBJECT_SIZE).zip(word(entry::OBJECT_SIZE + 4)).ok_or(truncated)?;
    let host_type = match (size, flags & entry::FLAGS_OF_TYPE) {
        ((0, 0), 0) => HostEntryKind::Kernel,
        (_, 0..=entry::LAST_VARIABLE) => HostEntryKind::Variable,
        _ => HostEntryKind::Other,
    };
    Ok((short(entry::KIND).ok_or(truncated)?, host_type))
}

/// Returns the symbol at an entry's address. A local symbol is often named by section and offset.
fn host_symbol<'data, 'file>(
    file: &'file File<'data>,
    relocation: &object::Relocation,
) -> object::Result<Option<Symbol<'data, 'file>>> {
    let Some(symbol) = target_symbol(file, relocation)? else {
        return Ok(None);
    };
    let Some(section) = section_symbol(&symbol) else {
        return Ok(Some(symbol));
    };
    let offset = u64::try_from(relocation.addend()).unwrap_or(0);
    Ok(file.symbols().find(|symbol| {
        symbol.is_definition()
            && symbol.section_index() == Some(section)
            && symbol.address() == offset
    }))
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
