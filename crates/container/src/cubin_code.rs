//! The machine code of each kernel of a cubin: its size, its instructions, and the calls that are
//! left in it.

use std::collections::{BTreeMap, BTreeSet};

use object::elf::{self, FileHeader64, SectionHeader64};
use object::read::elf::{FileHeader as _, SectionHeader as _, Sym as _};
use object::{Endianness, SymbolIndex};
use serde::{Deserialize, Serialize};

use crate::bytes::read_u64;
use crate::cubin_calls::{self, Calls};
use crate::cubin_resources::is_kernel;

/// Number of bytes of an instruction, on all architectures since Volta.
pub(crate) const INSTRUCTION: usize = 16;
/// Bits of an instruction's first word that hold its operation.
pub(crate) const OPERATION: u64 = 0xFFF;
/// `NOP`, which fills a function's last bytes.
pub(crate) const NOP: u64 = 0x918;
/// `CALL.ABS` and `CALL.REL` through a register.
const INDIRECT_CALLS: [u64; 2] = [0x343, 0x344];

/// The machine code of one kernel, without that of the functions that it calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelCode {
    /// Number of instructions, without those that fill the last bytes.
    #[serde(default)]
    pub instructions: u64,
    /// Number of bytes.
    #[serde(default)]
    pub code_bytes: u64,
    /// Names of the functions that the code calls, sorted.
    #[serde(default)]
    pub calls: Vec<String>,
    /// Whether the code calls through a pointer.
    #[serde(default)]
    pub calls_indirectly: bool,
}

/// Returns the machine code of every kernel of the cubin `data`, by the kernel's name.
pub fn kernel_code(data: &[u8]) -> object::Result<BTreeMap<String, KernelCode>> {
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let symbols = sections.symbols(endian, data, elf::SHT_SYMTAB)?;
    let content = |name: &[u8]| match sections.section_by_name(endian, name) {
        Some((_, section)) => SectionHeader64::data(section, endian, data),
        None => Ok(&[][..]),
    };
    let calls = Calls::read(content(cubin_calls::SECTION)?);
    let name_of = |index: u32| -> object::Result<String> {
        let symbol = symbols.symbol(SymbolIndex(index as usize))?;
        Ok(String::from_utf8_lossy(symbols.symbol_name(endian, symbol)?).into_owned())
    };
    let mut kernels = BTreeMap::new();
    for (index, symbol) in (0_u32..).zip(symbols.iter()).filter(|(_, symbol)| is_kernel(symbol)) {
        let position = SymbolIndex(index as usize);
        let section = symbols.symbol_section(endian, symbol, position)?;
        let text = match section.map(|section| sections.section(section)) {
            Some(Ok(section)) => section.data(endian, data)?,
            _ => &[],
        };
        let callees: object::Result<BTreeSet<String>> = calls.of(index).map(name_of).collect();
        let mut code = counted(own(text, symbol, endian));
        code.calls = callees?.into_iter().collect();
        code.calls_indirectly |= calls.are_indirect(index);
        kernels.insert(name_of(index)?, code);
    }
    Ok(kernels)
}

/// Returns the bytes of a function in the `text` of its section.
pub(crate) fn own<'text>(
    text: &'text [u8],
    symbol: &elf::Sym64<Endianness>,
    endian: Endianness,
) -> &'text [u8] {
    let number = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
    let start = number(symbol.st_value(endian));
    let rest = text.get(start..).unwrap_or_default();
    rest.get(..number(symbol.st_size(endian))).unwrap_or(rest)
}

fn counted(code: &[u8]) -> KernelCode {
    let operations: Vec<u64> = code
        .chunks_exact(INSTRUCTION)
        .filter_map(|instruction| Some(read_u64(instruction, 0)? & OPERATION))
        .collect();
    let end = operations.iter().rposition(|operation| *operation != NOP);
    KernelCode {
        instructions: end.map_or(0, |last| last as u64 + 1),
        code_bytes: code.len() as u64,
        calls: Vec::new(),
        calls_indirectly: operations.iter().any(|operation| INDIRECT_CALLS.contains(operation)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_counted_without_those_that_fill() {
        let code = |operations: &[u64]| -> Vec<u8> {
            let words = operations.iter().flat_map(|operation| [operation | 0xF000, 7]);
            words.flat_map(u64::to_le_bytes).collect()
        };
        let filled = counted(&code(&[0x819, NOP, 0x94D, 0x947, NOP, NOP]));
        assert_eq!((filled.instructions, filled.code_bytes), (4, 96));
        assert!(!filled.calls_indirectly);
        assert!(counted(&code(&[0x344])).calls_indirectly);
        assert_eq!(counted(&code(&[NOP])).instructions, 0);
        assert_eq!(counted(&[1; 7]).instructions, 0);
    }
}
