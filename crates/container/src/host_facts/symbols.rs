//! Symbols of an object, and the symbols that relocations name.
//!
//! A linker binds references by a symbol's name without its version: `launch@@V2` is the definition
//! that serves `launch`, and a reference to `launch@V2` may lead to it.

use object::read::elf::ElfFile64;
use object::{Object as _, ObjectSymbol as _, RelocationTarget, SectionIndex};

pub(super) type File<'data> = ElfFile64<'data>;
pub(super) type Section<'data, 'file> = object::read::elf::ElfSection64<'data, 'file>;
pub(super) type Symbol<'data, 'file> = object::read::elf::ElfSymbol64<'data, 'file>;

/// Returns the symbol that a relocation names.
pub(super) fn target_symbol<'data, 'file>(
    file: &'file File<'data>,
    relocation: &object::Relocation,
) -> object::Result<Option<Symbol<'data, 'file>>> {
    match relocation.target() {
        RelocationTarget::Symbol(index) => file.symbol_by_index(index).map(Some),
        _ => Ok(None),
    }
}

/// Returns the section that a section symbol denotes.
pub(super) fn section_symbol(symbol: &Symbol<'_, '_>) -> Option<SectionIndex> {
    (symbol.kind() == object::SymbolKind::Section).then(|| symbol.section_index()).flatten()
}

/// Returns the name by which a linker binds references, which has no version.
pub(crate) fn name_to_linker(name: &str) -> &str {
    name.split_once('@').map_or(name, |(name, _)| name)
}
