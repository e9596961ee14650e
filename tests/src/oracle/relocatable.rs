//! The dynamic shared memory that a relocatable cubin declares.

use object::read::elf::{ElfFile64, Sym as _};
use object::{Object as _, ObjectSymbol as _};

/// Mark of shared memory among a symbol's other flags.
const SHARED: u8 = 0x40;
/// The bits of the flags that tell the memory.
const MEMORY: u8 = 0xE0;

/// The unsized arrays of shared memory, `extern __shared__`, with their alignments. An undefined
/// symbol's value is its alignment.
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
