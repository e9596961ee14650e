//! The names of a stub or variable.
//!
//! An alias (`__attribute__((alias))`, `.set`, `.symver`) is a further symbol at the place of
//! another one, and a reference by any of them means the same definition. So the names of a host
//! symbol are all symbols that lie in its definition.

use std::collections::{BTreeMap, BTreeSet};

use object::{Object as _, ObjectSymbol as _, SectionIndex, SymbolIndex, SymbolKind};
use weft_artifact::Guid;

use super::symbols::{File, Symbol, name_to_linker, section_symbol};

/// Prefix of the symbols by which objects for Arm tell code from data.
const MAPPING_SYMBOL: &str = "$";

/// Addresses of a definition in its section; `end` is that of the byte behind the last.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) section: SectionIndex,
    pub(super) start: u64,
    pub(super) end: u64,
}

/// The symbols of an object by their places.
pub(super) struct Names {
    /// Symbols, and the addresses behind them, by section and address.
    by_place: BTreeMap<(usize, u64), Vec<(SymbolIndex, u64)>>,
}

impl Names {
    pub(super) fn new(file: &File<'_>) -> Self {
        let mut by_place = BTreeMap::<_, Vec<_>>::new();
        for symbol in file.symbols().filter(is_name) {
            let Some(section) = symbol.section_index() else { continue };
            let end = symbol.address().saturating_add(symbol.size());
            let place = (section.0, symbol.address());
            by_place.entry(place).or_default().push((symbol.index(), end));
        }
        Self { by_place }
    }

    /// Returns the global names of all places that have several. Constructors and destructors do
    /// not count, because compilers make aliases for them.
    pub(super) fn aliases(&self, file: &File<'_>) -> object::Result<BTreeSet<Guid>> {
        let mut aliases = BTreeSet::new();
        for symbols in self.by_place.values().filter(|symbols| symbols.len() > 1) {
            let mut names = Vec::new();
            for &(index, _) in symbols {
                let symbol = file.symbol_by_index(index)?;
                names.extend((!symbol.is_local()).then(|| symbol.name()).transpose()?);
            }
            let variants: BTreeSet<_> = names.iter().map(|name| without_variant(name)).collect();
            if variants.len() > 1 {
                let names = names.into_iter().map(name_to_linker);
                aliases.extend(names.map(Guid::of_global));
            }
        }
        Ok(aliases)
    }

    /// Returns the names of the host symbol that a relocation against `symbol` means, and its
    /// definition. A local symbol is often named by section and offset, which is `addend` then.
    /// `None` if no symbol is there.
    pub(super) fn host_symbol(
        &self,
        symbol: &Symbol<'_, '_>,
        addend: i64,
    ) -> Option<(Vec<SymbolIndex>, Option<Place>)> {
        let (section, start) = match (section_symbol(symbol), symbol.section_index()) {
            (Some(section), _) => (section, u64::try_from(addend).unwrap_or(0)),
            (None, Some(section)) => (section, symbol.address()),
            (None, None) => return Some((vec![symbol.index()], None)),
        };
        let here = self.by_place.get(&(section.0, start))?;
        let end = here.iter().map(|&(_, end)| end).max().unwrap_or(start);
        let behind = end.max(start.saturating_add(1));
        let within = self.by_place.range((section.0, start)..(section.0, behind));
        let symbols = within.flat_map(|(_, symbols)| symbols.iter().map(|&(index, _)| index));
        Some((symbols.collect(), Some(Place { section, start, end })))
    }
}

/// Returns a name without the number that tells the variants of constructors and destructors apart.
fn without_variant(name: &str) -> String {
    ["C1E", "C2E", "C3E", "C5E", "D0E", "D1E", "D2E", "D5E"]
        .iter()
        .fold(name.to_owned(), |name, variant| name.replace(variant, &variant[..1]))
}

/// Whether code can refer to a symbol by its name.
fn is_name(symbol: &Symbol<'_, '_>) -> bool {
    let is_named = symbol.name().is_ok_and(|name| {
        let is_mapping =
            symbol.is_local() && symbol.size() == 0 && name.starts_with(MAPPING_SYMBOL);
        !name.is_empty() && !is_mapping
    });
    is_named && !matches!(symbol.kind(), SymbolKind::Section | SymbolKind::File)
}
