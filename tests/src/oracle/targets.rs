//! Targets of relocations in cubins and images.

use std::collections::BTreeSet;

use object::elf::{STT_FUNC, STT_OBJECT};
use object::read::elf::ElfFile64;
use object::{Object as _, ObjectSymbol as _, RelocationTarget, SectionIndex, SymbolKind};

use super::names::of_target;

type File<'data> = ElfFile64<'data>;

/// Target of a relocation.
#[derive(Debug)]
pub(super) struct Target {
    /// All names of the target, without the suffix that Weft adds to locals.
    pub(super) names: BTreeSet<String>,
    /// Whether the target is a function.
    pub(super) is_function: bool,
    /// Distance in bytes of the relocated address from the target.
    pub(super) distance: i64,
}

/// Finds the target of a relocation that names a symbol. If the symbol is a section symbol, the
/// target is the function or variable that starts at the addend.
pub(super) fn target(file: &File<'_>, relocation: &object::Relocation) -> Result<Target, String> {
    let RelocationTarget::Symbol(index) = relocation.target() else {
        return Err("a relocation without a symbol".to_owned());
    };
    let symbol = file.symbol_by_index(index).map_err(|error| error.to_string())?;
    let addend = relocation.addend();
    if let Some(section) = symbol.section_index() {
        let is_section = symbol.kind() == SymbolKind::Section;
        let address = if is_section { u64::try_from(addend).ok() } else { Some(symbol.address()) };
        let found = address.map(|address| definitions_at(file, section, address));
        if let Some((names, is_function)) = found.filter(|(names, _)| !names.is_empty()) {
            return Ok(Target {
                names,
                is_function,
                distance: if is_section { 0 } else { addend },
            });
        }
    }
    let name = symbol.name().map_err(|error| error.to_string())?;
    Ok(Target { names: BTreeSet::from([of_target(name)]), is_function: false, distance: addend })
}

/// Returns the names of the functions and variables at an address of a section, and whether one of
/// them is a function.
fn definitions_at(
    file: &File<'_>,
    section: SectionIndex,
    address: u64,
) -> (BTreeSet<String>, bool) {
    let mut names = BTreeSet::new();
    let mut is_function = false;
    for symbol in file.symbols() {
        let kind = symbol.elf_symbol().st_type();
        if symbol.section_index() == Some(section)
            && symbol.address() == address
            && (kind == STT_FUNC || kind == STT_OBJECT)
        {
            is_function |= kind == STT_FUNC;
            names.extend(symbol.name().map(of_target));
        }
    }
    (names, is_function)
}
