//! Reads the kernels and variables that a linked program or shared library registers with the CUDA
//! runtime when it starts.
//!
//! The linker has put the offload entries of all objects that it linked into one section for each
//! layout that clang has given them. Archive members that it left out are not included. So the
//! section, unlike any list of inputs, holds exactly the entries that the runtime will get.
//!
//! An entry points to its name. Where the file is loaded at a fixed address the pointer is in the
//! entry. Elsewhere it is a relative relocation: the pointer is in the relocation (`.rela.dyn`), or
//! in the entry where relocations are packed (`.relr.dyn`). Symbol tables are not needed, so a
//! stripped program can be read, too. Any symbol table shows all names that the link gave a host
//! symbol, which can be more than its object states (`--defsym`, linker scripts).

use std::collections::{BTreeMap, BTreeSet};

use object::elf;
use object::read::elf::{ElfFile64, ProgramHeader as _, Rela as _, SectionHeader as _};
use object::{Object as _, ObjectKind, ObjectSection as _, ObjectSymbol as _};
use thiserror::Error;
use weft_artifact::{Guid, HostEntryKind};

use crate::bytes::read_u64;
use crate::cubin::is_cubin;
use crate::host_facts::entries::{Record, holds_entries, records};
use crate::host_facts::symbols::name_to_linker;
use crate::sections::NVCC_FATBIN_SECTIONS;

type File<'data> = ElfFile64<'data>;

/// Section of the records that point to fat binaries, one for each that is registered.
const WRAPPERS_SECTION: &str = ".nvFatBinSegment";
/// Number of bytes of such a record: magic and version, `u32` each, and two pointers.
const WRAPPER_SIZE: u64 = 24;

/// A registered kernel or variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RegisteredEntry {
    /// Name in device code.
    pub device_name: String,
    /// Whether the entry is a kernel; otherwise it is a variable, surface or texture.
    pub is_kernel: bool,
}

/// The place of an entry's host symbol in a linked file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HostSymbol {
    /// Address in the loaded file.
    pub address: u64,
    /// The entry.
    pub entry: RegisteredEntry,
}

/// The facts about device code that a linked file states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkedProgram<'data> {
    /// Kernels and variables that offload entries register, sorted, without repetition.
    pub entries: Vec<RegisteredEntry>,
    /// Their host symbols, sorted, without repetition. Symbols of other files are left out.
    pub host_symbols: Vec<HostSymbol>,
    /// All names of the host symbols, by address. A file without a symbol table states none but
    /// those that other files may refer to.
    pub names: BTreeMap<u64, BTreeSet<String>>,
    /// The contents of the fat binaries, one after the other; empty if there is none.
    pub fatbins: &'data [u8],
    /// Number of fat binaries that are registered.
    pub registrations: u64,
    /// Symbols that another file has to define when this one is loaded, sorted.
    pub needs: Vec<Guid>,
}

impl LinkedProgram<'_> {
    /// Returns all names by which code may refer to the host symbol of `entry`, sorted, as far as
    /// the file tells.
    pub fn names_of(&self, entry: &RegisteredEntry) -> BTreeSet<&str> {
        let symbols = self.host_symbols.iter().filter(|symbol| symbol.entry == *entry);
        let names = symbols.filter_map(|symbol| self.names.get(&symbol.address));
        names.flatten().map(String::as_str).collect()
    }
}

/// The error of reading a linked file. The caller adds the file's name.
#[derive(Debug, Error)]
pub enum LinkedError {
    /// The object is malformed.
    #[error("malformed object: {0}")]
    Object(#[from] object::Error),
    /// The table of sections is missing, which even `strip` leaves.
    #[error("it has no table of sections, so what it registers cannot be found")]
    NoSections,
    /// An entry cannot be read.
    #[error("offload entry {position}: {fault}")]
    Entry {
        /// Number of the entry, from 0.
        position: u64,
        /// The fault of the entry.
        fault: &'static str,
    },
}

/// Reads a linked file; `None` for a relocatable object and for anything but host code in ELF.
pub fn linked_program(data: &[u8]) -> Result<Option<LinkedProgram<'_>>, LinkedError> {
    if !data.starts_with(b"\x7FELF\x02\x01") || is_cubin(data) {
        return Ok(None);
    }
    let file = File::parse(data)?;
    if !matches!(file.kind(), ObjectKind::Executable | ObjectKind::Dynamic) {
        return Ok(None);
    }
    if file.elf_section_table().is_empty() {
        return Err(LinkedError::NoSections);
    }
    let section = |name: &str| file.sections().find(|section| section.name() == Ok(name));
    let content = |name| section(name).map_or(Ok(&[] as &[u8]), |section| section.data());
    let mut needs: Vec<_> = file
        .dynamic_symbols()
        .filter(object::ObjectSymbol::is_undefined)
        .map(|symbol| symbol.name().map(Guid::of_global))
        .collect::<object::Result<_>>()?;
    needs.sort_unstable();
    let (entries, host_symbols) = entries(&file)?;
    Ok(Some(LinkedProgram {
        entries,
        names: names(&file, &host_symbols)?,
        host_symbols,
        fatbins: content(NVCC_FATBIN_SECTIONS[0])?,
        registrations: section(WRAPPERS_SECTION).map_or(0, |section| section.size() / WRAPPER_SIZE),
        needs,
    }))
}

/// Returns all entries, and those host symbols that the file defines.
fn entries(file: &File<'_>) -> Result<(Vec<RegisteredEntry>, Vec<HostSymbol>), LinkedError> {
    let (mut entries, mut host_symbols) = (Vec::new(), Vec::new());
    for section in file.sections() {
        let Some(section_name) = section.name().ok().filter(|name| holds_entries(name)) else {
            continue;
        };
        let data = section.data()?;
        let relocated = relocated(file, section.address(), data.len())?;
        let pointer = |place: u64| {
            let in_place = usize::try_from(place).ok().and_then(|at| read_u64(data, at));
            relocated.get(&(section.address() + place)).copied().or(in_place)
        };
        // The loader alone knows the address of another file's symbol.
        let is_pointer = |place| {
            relocated.contains_key(&(section.address() + place)) || pointer(place) != Some(0)
        };
        let records = records(section_name, data, is_pointer);
        for (position, Record { start, content, layout }) in (0..).zip(records) {
            let wrong = |fault| LinkedError::Entry { position, fault };
            let pointer = |field: u64| pointer(start + field);
            let Some(host_type) = layout.read(content).map_err(wrong)? else { continue };
            let name = pointer(layout.name).and_then(|address| text(file, address));
            let entry = RegisteredEntry {
                device_name: name.ok_or(wrong("its name is no text"))?,
                is_kernel: host_type == HostEntryKind::Kernel,
            };
            // Nothing lies at 0: the address is that of another file's symbol.
            let address = pointer(layout.address).filter(|&address| address != 0);
            host_symbols.extend(address.map(|address| {
                let entry = entry.clone();
                HostSymbol { address, entry }
            }));
            entries.push(entry);
        }
    }
    entries.sort();
    entries.dedup();
    host_symbols.sort();
    host_symbols.dedup();
    Ok((entries, host_symbols))
}

/// Returns the names of `host_symbols` by address.
fn names(
    file: &File<'_>,
    host_symbols: &[HostSymbol],
) -> object::Result<BTreeMap<u64, BTreeSet<String>>> {
    let mut names: BTreeMap<u64, BTreeSet<String>> =
        host_symbols.iter().map(|symbol| (symbol.address, BTreeSet::new())).collect();
    for symbol in file.symbols().chain(file.dynamic_symbols()) {
        if let Some(known) = names.get_mut(&symbol.address()).filter(|_| !symbol.is_undefined()) {
            known.insert(name_to_linker(symbol.name()?).to_owned());
        }
    }
    Ok(names)
}

/// Returns the values that the loader would write into the `size` bytes at `address`, by address.
/// The values are relative to the address at which the file is loaded.
fn relocated(file: &File<'_>, address: u64, size: usize) -> object::Result<BTreeMap<u64, u64>> {
    let (endian, data) = (file.endian(), file.data());
    let within = address..address.saturating_add(size as u64);
    let mut values = BTreeMap::new();
    for section in file.elf_section_table().iter() {
        // A linker that was told to keep its inputs' relocations (`-q`) has written tables of
        // those, too.
        if !section.sh_flags(endian).contains(elf::SHF_ALLOC) {
            continue;
        }
        let Some((relocations, _)) = section.rela(endian, data)? else { continue };
        for relocation in relocations {
            let offset = relocation.r_offset(endian);
            if !within.contains(&offset) {
                continue;
            }
            let symbol = match relocation.symbol(endian, false) {
                None => 0,
                Some(index) => file
                    .dynamic_symbol_table()
                    .and_then(|table| {
                        object::ObjectSymbolTable::symbol_by_index(&table, index).ok()
                    })
                    .map_or(0, |symbol| symbol.address()),
            };
            values.insert(offset, symbol.wrapping_add_signed(relocation.r_addend(endian)));
        }
    }
    Ok(values)
}

/// Returns the text at `address` in the loaded file.
fn text(file: &File<'_>, address: u64) -> Option<String> {
    let (endian, data) = (file.endian(), file.data());
    let segment = file.elf_program_headers().iter().find_map(|header| {
        let start = header.p_vaddr(endian);
        let is_there = header.p_type(endian) == elf::PT_LOAD
            && (start..start.saturating_add(header.p_filesz(endian))).contains(&address);
        let content = is_there.then(|| header.data(endian, data).ok()).flatten()?;
        content.get(usize::try_from(address - start).ok()?..)
    })?;
    let length = segment.iter().position(|&byte| byte == 0)?;
    String::from_utf8(segment[..length].to_vec()).ok().filter(|name| !name.is_empty())
}
