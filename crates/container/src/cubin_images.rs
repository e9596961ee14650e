//! Textures, surfaces and samplers that the code of a cubin names.
//!
//! Each of them has a symbol, with a separate symbol type for each kind. Code names it through a
//! relocation in the function's text, or in the constants that belong to the function. Objects that
//! a kernel gets as arguments, which include all that CUDA 12 and later create, have no symbol and
//! leave no trace in a cubin.

use std::collections::{BTreeMap, BTreeSet};

use object::elf::{self, FileHeader64, Rela64};
use object::read::elf::{FileHeader as _, SectionHeader as _};
use object::{Endianness, SymbolIndex};

/// Type of a texture's symbol.
const TEXTURE: u8 = 10;
/// Type of a sampler's symbol.
const SAMPLER: u8 = 11;
/// Type of a surface's symbol.
const SURFACE: u8 = 12;

/// Indices of the symbols that a function names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Images {
    pub(crate) textures: BTreeSet<usize>,
    pub(crate) surfaces: BTreeSet<usize>,
    pub(crate) samplers: BTreeSet<usize>,
}

impl Images {
    /// Adds what another function names.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.textures.extend(&other.textures);
        self.surfaces.extend(&other.surfaces);
        self.samplers.extend(&other.samplers);
    }

    fn add(&mut self, kind: u8, symbol: usize) {
        match kind {
            TEXTURE => self.textures.insert(symbol),
            SURFACE => self.surfaces.insert(symbol),
            SAMPLER => self.samplers.insert(symbol),
            _ => false,
        };
    }
}

/// Returns what each function of the cubin `data` names, by the function's name. Functions that
/// name nothing are not listed.
pub(crate) fn images(data: &[u8]) -> object::Result<BTreeMap<String, Images>> {
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let symbols = sections.symbols(endian, data, elf::SHT_SYMTAB)?;
    let mut images: BTreeMap<String, Images> = BTreeMap::new();
    for section in sections.iter() {
        let name = sections.section_name(endian, section)?;
        let Some(function) = owner(&String::from_utf8_lossy(name)).map(str::to_owned) else {
            continue;
        };
        let Some((relocations, _)) = section.rela(endian, data)? else { continue };
        for relocation in relocations {
            let index = symbol_of(relocation, endian);
            let kind = symbols.symbol(SymbolIndex(index))?.st_type();
            if matches!(kind, elf::SymbolType(TEXTURE | SAMPLER | SURFACE)) {
                images.entry(function.clone()).or_default().add(kind.0, index);
            }
        }
    }
    Ok(images)
}

fn symbol_of(relocation: &Rela64<Endianness>, endian: Endianness) -> usize {
    relocation.r_sym(endian, false) as usize
}

/// Returns the function that a section of relocations is about.
fn owner(section: &str) -> Option<&str> {
    let of = section.strip_prefix(".rela")?;
    let constants = of.strip_prefix(".nv.constant").and_then(|rest| rest.split_once('.'));
    of.strip_prefix(".text.").or_else(|| constants.map(|(_, function)| function))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relocations_belong_to_functions() {
        assert_eq!(owner(".rela.text.k"), Some("k"));
        assert_eq!(owner(".rela.nv.constant0.k.b"), Some("k.b"));
        assert_eq!(owner(".rela.nv.constant3"), None);
        assert_eq!(owner(".rela.debug_frame"), None);
        assert_eq!(owner(".text.k"), None);
    }
}
