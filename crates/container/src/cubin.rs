//! Symbols of a cubin: an ELF file with NVIDIA machine code, of machine 190.

use object::elf::{FileHeader64, STB_GLOBAL, STB_WEAK, SymbolType};
use object::read::elf::{FileHeader as _, SectionHeader as _, Sym as _};
use object::{Endianness, elf};
use weft_artifact::OpaqueSymbols;

use crate::bytes::{read_u16, read_u32};

/// Number of NVIDIA CUDA among ELF's machines (`EM_CUDA`).
const MACHINE: u16 = 190;
/// NVIDIA's own type of variables in CUDA's memory spaces (`STT_CUDA_OBJECT`).
pub(crate) const CUDA_OBJECT: SymbolType = SymbolType(13);
/// Section with a note of NVIDIA's: the note's version, the virtual architecture, the toolkit.
const CUDA_INFO: &[u8] = b".note.nv.cuinfo";
/// Version of NVIDIA's ABI from which on the flags hold the architecture in the second byte.
const ABI_WITH_ARCHITECTURE_IN_SECOND_BYTE: u8 = 8;

/// Whether `data` starts like a cubin.
pub fn is_cubin(data: &[u8]) -> bool {
    data.starts_with(b"\x7FELF\x02\x01") && read_u16(data, 18) == Some(MACHINE)
}

/// Whether a cubin is one for the linker, and not the linked image of a program.
pub fn is_relocatable_cubin(data: &[u8]) -> bool {
    is_cubin(data) && read_u16(data, 16) == Some(elf::ET_REL.0)
}

/// Returns the architecture in the header's flags, such as `sm_90`. The flags do not distinguish
/// `sm_90a` from `sm_90`.
pub fn cubin_architecture(data: &[u8]) -> Option<String> {
    let flags = read_u32(data, 48)?;
    let shift = if *data.get(8)? >= ABI_WITH_ARCHITECTURE_IN_SECOND_BYTE { 8 } else { 0 };
    Some(format!("sm_{}", flags >> shift & 0xFF))
}

/// Returns the number of the virtual architecture that the code of the cubin `data` was compiled
/// for, such as 80 for `compute_80`; `None` if it does not state it.
pub fn cubin_virtual_architecture(data: &[u8]) -> object::Result<Option<u32>> {
    if data.get(8).is_some_and(|abi| *abi < ABI_WITH_ARCHITECTURE_IN_SECOND_BYTE) {
        return Ok(read_u32(data, 48).map(|flags| flags >> 16 & 0xFF));
    }
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let Some((_, section)) = sections.section_by_name(endian, CUDA_INFO) else { return Ok(None) };
    let Some(mut notes) = section.notes(endian, data)? else { return Ok(None) };
    let Some(note) = notes.next()? else { return Ok(None) };
    Ok(read_u16(note.desc(), 2).map(u32::from))
}

/// Returns the global and weak symbols of the cubin `data`, with the alignment of dynamic shared
/// memory.
pub fn cubin_symbols(data: &[u8]) -> object::Result<OpaqueSymbols> {
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let table = sections.symbols(endian, data, elf::SHT_SYMTAB)?;
    let mut symbols = OpaqueSymbols::default();
    for symbol in table.iter() {
        if !matches!(symbol.st_bind(), STB_GLOBAL | STB_WEAK) {
            continue;
        }
        let name = table.symbol_name(endian, symbol)?;
        let name = String::from_utf8_lossy(name);
        if !symbol.is_undefined(endian) {
            symbols.defines.push(name.into_owned());
        } else if !is_defined_by_linker(&name) {
            // For a symbol that the linker allocates, the value is the alignment.
            let is_unsized = symbol.st_type() == CUDA_OBJECT && symbol.st_size(endian) == 0;
            let alignment = u32::try_from(symbol.st_value(endian)).unwrap_or(0);
            if is_unsized && alignment > 0 {
                symbols.dynamic_shared.push((name.to_string(), alignment));
            }
            symbols.needs.push(name.into_owned());
        }
    }
    Ok(symbols.normalized())
}

/// Whether `name` is a symbol that nvlink defines itself: a table of function pointers or reserved
/// memory.
fn is_defined_by_linker(name: &str) -> bool {
    name.is_empty()
        || name.starts_with(".nv.")
        || name.starts_with("__UFT")
        || name.starts_with("__UDT")
}
