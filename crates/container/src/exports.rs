//! The symbols through which the files of one process share functions and variables of host code.
//!
//! If two files define such a symbol, the loader binds the references of both to the first.

use std::collections::BTreeSet;
use std::io::{Read, Seek};

use object::elf;
use object::read::elf::{Dyn as _, ElfFile64, Sym as _};
use object::{Endianness, ReadCache, ReadRef};

/// Symbols of a linked program or shared library that other files may replace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exports {
    /// Names of the defined symbols.
    pub names: BTreeSet<String>,
    /// Names of which a program should have one definition: not weak, and not a linker's.
    pub strong: BTreeSet<String>,
    /// Whether the file's own references take its own definitions all the same, as `-Bsymbolic`
    /// has them do.
    pub binds_own: bool,
}

/// First bytes of a file of 64 bits.
const ELF: &[u8] = b"\x7FELF\x02\x01";

/// Reads the symbols of a linked file of 64 bits, and no more of it than that takes; `None` for
/// any other file.
pub fn exports(file: impl Read + Seek) -> object::Result<Option<Exports>> {
    let cache = ReadCache::new(file);
    let is_elf = cache.read_bytes_at(0, ELF.len() as u64).is_ok_and(|start| start == ELF);
    is_elf.then(|| read(&cache)).transpose()
}

fn read<'data>(data: impl ReadRef<'data>) -> object::Result<Exports> {
    let file = ElfFile64::<Endianness, _>::parse(data)?;
    let endian = file.endian();
    let table = file.elf_dynamic_symbol_table();
    let (mut names, mut strong) = (BTreeSet::new(), BTreeSet::new());
    for symbol in table.iter() {
        let is_exported = !symbol.is_undefined(endian)
            && symbol.st_bind() != elf::STB_LOCAL
            && symbol.st_visibility() == elf::STV_DEFAULT;
        if is_exported {
            let name = String::from_utf8_lossy(table.symbol_name(endian, symbol)?).into_owned();
            let is_linkers = name.starts_with('_') && !name.starts_with("_Z");
            if symbol.st_bind() == elf::STB_GLOBAL && !is_linkers {
                strong.insert(name.clone());
            }
            names.insert(name);
        }
    }
    let entries = file.elf_section_table().dynamic(endian, data)?;
    let binds_own = entries.is_some_and(|(entries, _)| {
        entries.iter().any(|entry| match entry.d_tag(endian) {
            elf::DT_SYMBOLIC => true,
            elf::DT_FLAGS => entry.d_val(endian) & elf::DF_SYMBOLIC.0 != 0,
            _ => false,
        })
    });
    Ok(Exports { names, strong, binds_own })
}
