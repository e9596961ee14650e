//! References to registered symbols that do not name them.
//!
//! With `-fPIC -fno-semantic-interposition` clang refers to a function of its unit by a local label
//! `.L…$local`. The assembler resolves such a reference within its section and leaves no
//! relocation; from another section the relocation is against the section, and states an address in
//! it. So a missing name proves nothing by itself.
//!
//! A stub shows how its unit refers to it, since every stub passes its own address to the runtime:
//! - a relocation in the stub names the stub: so do all other references, and without a relocation
//!   there is no reference;
//! - no relocation names it, and the stub fills its own section (`-ffunction-sections`): the
//!   assembler can have resolved only references within the stub, and all others are relocations;
//! - otherwise references to the stub are invisible, and the stub counts as referenced.
//!
//! Variables lie in sections without code. So every reference to one is a relocation, in which
//! clang names the variable, also with these options.

use std::collections::{BTreeMap, BTreeSet};

use object::{
    Architecture, Object as _, ObjectSection as _, ObjectSymbol as _, Relocation, RelocationKind,
    SectionIndex, SymbolIndex,
};
use weft_artifact::{Guid, HostEntryKind, ReferenceForm};

use super::entries::Registered;
use super::error::HostFactsError;
use super::symbols::{File, Symbol};

/// A registered symbol where it is defined.
struct Definition {
    symbols: Vec<SymbolIndex>,
    guid: Guid,
    is_kernel: bool,
    /// Address in the section of the first byte; `end` is that of the byte behind the last.
    start: i128,
    end: i128,
    /// Whether the definition is all that the section holds.
    is_alone: bool,
}

/// The definitions of registered symbols, and the known references that do not name them.
pub(super) struct Definitions {
    /// Definitions by section, sorted by start.
    by_section: BTreeMap<usize, Vec<Definition>>,
    /// Kernels that are registered here without a definition.
    undefined_kernels: Vec<Guid>,
    /// Symbols that a relocation within their own definition names.
    named_by_themselves: BTreeSet<usize>,
    found: BTreeMap<Guid, ReferenceForm>,
}

/// The place to which a relocation that names no registered symbol refers.
pub(super) struct Target {
    section: Option<SectionIndex>,
    /// Address of the place in the section.
    address: i128,
    /// Whether the relocation is a distance in data, as in tables of distances: a distance counts
    /// from a place that the relocation does not state, so `address` means nothing.
    is_distance_in_data: bool,
}

impl Target {
    /// The target of `relocation`, which is against the local symbol `symbol`; `in_code` says
    /// whether the relocation lies in code.
    pub(super) fn new(
        file: &File<'_>,
        relocation: &Relocation,
        symbol: &Symbol<'_, '_>,
        in_code: bool,
    ) -> Self {
        let is_distance =
            matches!(relocation.kind(), RelocationKind::Relative | RelocationKind::PltRelative);
        // x86 counts distances from the end of the instruction, which is the end of the field in
        // calls and where addresses are taken.
        let is_counted_from_end =
            is_distance && relocation.size() == 32 && file.architecture() == Architecture::X86_64;
        let field = if is_counted_from_end { 4 } else { 0 };
        let address = i128::from(symbol.address()) + i128::from(relocation.addend()) + field;
        let is_distance_in_data = is_distance && !in_code;
        Self { section: symbol.section_index(), address, is_distance_in_data }
    }

    /// Whether the relocation can mean `definition`.
    fn can_mean(&self, definition: &Definition) -> bool {
        if definition.is_alone {
            return true;
        }
        // Tables of distances are those of `switch`, and lead to blocks of other functions.
        let is_jump = self.is_distance_in_data && definition.is_kernel;
        !is_jump && (definition.start..definition.end).contains(&self.address)
    }
}

impl Definitions {
    pub(super) fn new(
        file: &File<'_>,
        registered: Vec<Registered>,
    ) -> Result<Self, HostFactsError> {
        let mut by_section = BTreeMap::<usize, Vec<Definition>>::new();
        let mut undefined_kernels = Vec::new();
        for Registered { kind, guid, symbols, is_local, place } in registered {
            // A local symbol counts as referenced, regardless of visible references.
            if is_local {
                continue;
            }
            let is_kernel = kind == HostEntryKind::Kernel;
            let Some(place) = place else {
                undefined_kernels.extend(is_kernel.then_some(guid));
                continue;
            };
            let size = file.section_by_index(place.section)?.size();
            let is_alone = place.start == 0 && place.end == size;
            let (start, end) = (i128::from(place.start), i128::from(place.end));
            let definition = Definition { symbols, guid, is_kernel, start, end, is_alone };
            by_section.entry(place.section.0).or_default().push(definition);
        }
        for definitions in by_section.values_mut() {
            definitions.sort_by_key(|definition| (definition.start, definition.end));
        }
        let (named_by_themselves, found) = Default::default();
        Ok(Self { by_section, undefined_kernels, named_by_themselves, found })
    }

    /// Notes that a relocation within the definition of `symbol` names `symbol`.
    pub(super) fn note_own_name(&mut self, symbol: SymbolIndex) {
        self.named_by_themselves.insert(symbol.0);
    }

    /// Notes that a relocation at `place`, a section and an offset in it, refers to `target`.
    pub(super) fn note_address(
        &mut self,
        target: &Target,
        place: (SectionIndex, u64),
        how: ReferenceForm,
    ) {
        let Some(section) = target.section else { return };
        let Some(definitions) = self.by_section.get(&section.0) else { return };
        let offset = i128::from(place.1);
        let holds_place = |definition: &Definition| {
            place.0 == section && (definition.start..definition.end).contains(&offset)
        };
        let behind = definitions.partition_point(|definition| definition.start <= target.address);
        let is_alone = definitions.first().is_some_and(|definition| definition.is_alone);
        let candidates = if is_alone { definitions } else { &definitions[..behind] };
        // Definitions do not overlap, except where several symbols name the same one.
        let reached =
            |definition: &&Definition| definition.is_alone || target.address < definition.end;
        for definition in candidates.iter().rev().take_while(reached) {
            if target.can_mean(definition) && !holds_place(definition) {
                let known = self.found.entry(definition.guid).or_insert(how);
                *known = how.min(*known);
            }
        }
    }

    /// Returns the registered symbols with known or possible references that do not name them.
    pub(super) fn without_names(self) -> impl Iterator<Item = (Guid, ReferenceForm)> {
        let named = self.named_by_themselves;
        let definitions = self.by_section.into_values().flatten();
        let invisible = definitions.filter(move |definition| {
            definition.is_kernel
                && !definition.is_alone
                && !definition.symbols.iter().any(|symbol| named.contains(&symbol.0))
        });
        let invisible = invisible.map(|definition| definition.guid).chain(self.undefined_kernels);
        self.found.into_iter().chain(invisible.map(|guid| (guid, ReferenceForm::Invisible)))
    }
}
