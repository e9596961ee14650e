//! The dynamic shared memory that a relocatable cubin declares.

use object::read::elf::{ElfFile64, Sym as _};
use object::{Object as _, ObjectSymbol as _};

/// Value of the memory bits for shared memory.
const SHARED: u8 = 0x40;
/// Bits of `st_other` that hold the memory of a symbol.
const MEMORY: u8 = 0xE0;

/// Returns the unsized arrays of shared memory, `extern __shared__`, with their alignments. The
/// value of an undefined symbol is its alignment.
pub(super) fn shared_alignments(cubin: &[u8]) -> Result<Vec<(String, u64)>, String> {
    let file: ElfFile64<'_> = ElfFile64::parse(cubin).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    for symbol in file.symbols() {
        let other = symbol.elf_symbol().st_other().0;
        if symbol.is_undefined() && other & MEMORY == SHARED && symbol.size() == 0 {
            let name = symbol.name().map_err(|error| error.to_string())?;
            found.push((name.to_owned(), symbol.address()));
        }
    }
    Ok(found)
}
