//! References of host code, from the relocations of its object.
//!
//! A reference is *explicit* when the relocation is in code and either
//! - belongs to a call or a jump: code calls the stub, which launches; or
//! - is in a function that also calls one of the runtime's functions that launch a kernel or copy
//!   to or from a variable: compilers inline the stub, and pass the stub's address there.
//!
//! All other references are *implicit*: the address is in data, or code uses it for another
//! purpose. A function that launches one kernel and stores the address of another has explicit
//! references to both. The difference tells people why a symbol stays, and decides nothing.
//!
//! A link may give a symbol a further name: by `--wrap=launch` the name `__real_launch` means what
//! `launch` meant. So a reference to `__real_launch` is one to `launch`, too.
//!
//! [`super::definitions`] handles references that name no symbol but an address in a section.

use std::collections::{BTreeMap, BTreeSet};

use object::{
    Object as _, ObjectSection as _, ObjectSymbol as _, RelocationKind, SectionIndex, SymbolKind,
};
use weft_artifact::{Guid, HostReference, ReferenceForm};

use super::definitions::{Definitions, Target};
use super::entries::{Registered, holds_entries};
use super::error::HostFactsError;
use super::link::WRAPPED;
use super::symbols::{File, Section, Symbol, name_to_linker, target_symbol};

/// Prefixes of the names of the runtime's functions that launch or copy.
const LAUNCHES_AND_COPIES: [&str; 4] =
    ["cudaLaunch", "__cudaLaunch", "cudaMemcpyToSymbol", "cudaMemcpyFromSymbol"];

/// Returns the host code's references to symbols of other units and to its own `registered` ones,
/// sorted by GUID, without duplicates.
pub(super) fn references(
    file: &File<'_>,
    registered: Vec<Registered>,
) -> Result<Vec<HostReference>, HostFactsError> {
    let own: BTreeSet<usize> =
        registered.iter().flat_map(|entry| &entry.symbols).map(|symbol| symbol.0).collect();
    let mut definitions = Definitions::new(file, registered)?;
    let mut by_symbol: BTreeMap<usize, ReferenceForm> = BTreeMap::new();
    for section in file.sections().filter(has_references) {
        let code = Code::new(file, &section)?;
        for (offset, relocation) in section.relocations() {
            let Some(symbol) = target_symbol(file, &relocation)? else { continue };
            let how = code.reference(offset, relocation.kind());
            if symbol.is_local() {
                let target = Target::new(file, &relocation, &symbol, code.executable);
                definitions.note_address(&target, (section.index(), offset), how);
            } else if lies_within(&symbol, section.index(), offset) {
                definitions.note_own_name(symbol.index());
            } else {
                let known = by_symbol.entry(symbol.index().0).or_insert(how);
                *known = how.min(*known);
            }
        }
    }
    let mut references = BTreeMap::new();
    let mut add = |guid, how: ReferenceForm| {
        let known = references.entry(guid).or_insert(how);
        *known = how.min(*known);
    };
    for (index, how) in by_symbol {
        let symbol = file.symbol_by_index(object::SymbolIndex(index))?;
        let name = name_to_linker(symbol.name()?);
        if symbol.is_undefined() || own.contains(&index) {
            add(Guid::of_global(name), how);
        }
        if let Some(wrapped) = name.strip_prefix(WRAPPED).filter(|_| symbol.is_undefined()) {
            add(Guid::of_global(wrapped), how);
        }
    }
    for (guid, how) in definitions.without_names() {
        add(guid, how);
    }
    Ok(references.into_iter().map(|(guid, how)| HostReference { guid, how }).collect())
}

/// Adds references to `symbols`, which the object may make without a trace.
pub(super) fn add_possible(references: &mut Vec<HostReference>, symbols: &BTreeSet<Guid>) {
    let known: BTreeSet<_> = references.iter().map(|reference| reference.guid).collect();
    let how = ReferenceForm::Invisible;
    references.extend(symbols.difference(&known).map(|&guid| HostReference { guid, how }));
    references.sort_unstable();
}

/// The functions of a section that launch or copy. A section of data has none.
struct Code {
    executable: bool,
    /// Address ranges, sorted.
    launching: Vec<(u64, u64)>,
}

impl Code {
    fn new(file: &File<'_>, section: &Section<'_, '_>) -> Result<Self, HostFactsError> {
        let object::SectionFlags::Elf { sh_flags, .. } = section.flags() else {
            return Ok(Self { executable: false, launching: Vec::new() });
        };
        let executable = sh_flags.contains(object::elf::SHF_EXECINSTR);
        let mut calls = Vec::new();
        if executable {
            for (offset, relocation) in section.relocations() {
                let Some(symbol) = target_symbol(file, &relocation)? else { continue };
                let name = symbol.name()?;
                if LAUNCHES_AND_COPIES.iter().any(|start| name.starts_with(start)) {
                    calls.push(offset);
                }
            }
        }
        if calls.is_empty() {
            return Ok(Self { executable, launching: Vec::new() });
        }
        calls.sort_unstable();
        let functions = file.symbols().filter(|symbol| {
            symbol.kind() == SymbolKind::Text && symbol.section_index() == Some(section.index())
        });
        let mut launching: Vec<_> = functions
            .map(|function| {
                (function.address(), function.address().saturating_add(function.size()))
            })
            .filter(|&(start, end)| {
                calls
                    .get(calls.partition_point(|&call| call < start))
                    .is_some_and(|&call| call < end)
            })
            .collect();
        launching.sort_unstable();
        Ok(Self { executable, launching })
    }

    fn reference(&self, offset: u64, kind: RelocationKind) -> ReferenceForm {
        let before = self.launching.partition_point(|&(start, _)| start <= offset);
        let launches = before
            .checked_sub(1)
            .and_then(|position| self.launching.get(position))
            .is_some_and(|&(_, end)| offset < end);
        if self.executable && (kind == RelocationKind::PltRelative || launches) {
            ReferenceForm::Explicit
        } else {
            ReferenceForm::Implicit
        }
    }
}

/// Whether a section's relocations are references: the section is part of the program, and holds
/// neither the entries nor the tables of unwinding, which name every function.
fn has_references(section: &Section<'_, '_>) -> bool {
    let object::SectionFlags::Elf { sh_flags, .. } = section.flags() else { return false };
    let loaded = sh_flags.contains(object::elf::SHF_ALLOC);
    let name = section.name().unwrap_or("");
    loaded && !holds_entries(name) && name != ".eh_frame"
}

/// Whether `offset` of section `section` is inside the symbol's own definition.
fn lies_within(symbol: &Symbol<'_, '_>, section: SectionIndex, offset: u64) -> bool {
    symbol.section_index() == Some(section)
        && (symbol.address()..symbol.address().saturating_add(symbol.size())).contains(&offset)
}
