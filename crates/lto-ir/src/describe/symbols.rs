//! The symbols of a module of LTO IR.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use weft_artifact::{
    AliasSummary, Body, Comdat, Declaration, FunctionFlags, FunctionSummary, Guid, Linkage,
    ModuleId, Symbol, SymbolIndex, VariableSummary, Visibility,
};
use weft_container::{PtxItem, PtxItemKind, PtxLinkage, PtxSpace, PtxToken};

use super::bodies::{self, index, tokens};
use super::heads::{FunctionHead, VariableHead};
use super::statements::names;

/// Beginnings of names of C++'s virtual tables and type information, which no code writes and whose
/// addresses are in every object.
const TABLES: [&str; 4] = ["_ZTV", "_ZTT", "_ZTI", "_ZTS"];
/// Beginnings of names that nvcc gives to literals.
const LITERALS: [&str; 2] = ["$str", "__unnamed_"];

/// Facts of a symbol that the text states.
#[derive(Debug, Default)]
pub(super) struct Found<'items, 'text> {
    /// Item with the most of the symbol: a definition, or else a declaration.
    item: Option<&'items PtxItem>,
    /// Item that makes it a second name of another symbol.
    alias: Option<&'items PtxItem>,
    /// Variable that a body declares.
    inside: Option<Vec<PtxToken<'text>>>,
}

/// Finds the symbols in the text, by their names.
pub(super) fn found<'items, 'text>(
    text: &'text str,
    items: &'items [PtxItem],
) -> BTreeMap<&'text str, Found<'items, 'text>>
where
    'items: 'text,
{
    let mut found: BTreeMap<&str, Found<'_, '_>> = BTreeMap::new();
    for item in items {
        match item.kind {
            PtxItemKind::Function | PtxItemKind::Kernel | PtxItemKind::Variable(_) => {
                let known = &mut found.entry(item.name.as_str()).or_default().item;
                if known.is_none_or(|known| !known.is_definition()) {
                    *known = Some(item);
                }
            }
            PtxItemKind::Alias => found.entry(item.name.as_str()).or_default().alias = Some(item),
            _ => {}
        }
        bodies::variables(text, item, |name, tokens| {
            found.entry(name).or_default().inside = Some(tokens.to_vec());
        });
    }
    found
}

impl<'text> Found<'_, 'text> {
    /// Returns the item of a function or kernel with a body.
    pub(super) fn function(&self) -> Option<&PtxItem> {
        self.item.filter(|item| item.body.is_some() && self.alias.is_none())
    }

    /// Returns the head of a function or kernel.
    pub(super) fn head(&self, text: &'text str, name: &str) -> FunctionHead<'text> {
        let head = self.function().map(|item| tokens(text, item.head.clone()));
        FunctionHead::read(&head.unwrap_or_default(), name)
    }

    /// Returns the bytes of a definition outside of bodies.
    pub(super) fn definition(&self) -> Option<Range<usize>> {
        Some(self.item.filter(|item| item.is_definition())?.range.clone())
    }
}

/// Whether a symbol is a function or kernel, here or elsewhere.
pub(super) fn is_function(symbol: &Symbol) -> bool {
    match &symbol.body {
        Body::Function(_) | Body::Alias(_) => true,
        Body::Declaration(declaration) => {
            matches!(declaration, Declaration::Function | Declaration::Kernel)
        }
        Body::Variable(_) => false,
    }
}

/// Makes the symbol `name` without the facts that name other symbols.
pub(super) fn symbol(
    text: &str,
    name: &str,
    found: &Found<'_, '_>,
    module_id: &ModuleId,
) -> Symbol {
    let (body, address_space) = body(text, name, found);
    let is_declaration = matches!(body, Body::Declaration(_));
    let linkage = match found.item.map(|item| item.linkage) {
        Some(PtxLinkage::Weak) if is_declaration => Linkage::ExternalWeak,
        _ if is_declaration => Linkage::External,
        Some(PtxLinkage::Weak) => Linkage::WeakAny,
        Some(PtxLinkage::Common) => Linkage::Common,
        Some(PtxLinkage::Visible | PtxLinkage::Extern) => Linkage::External,
        Some(PtxLinkage::None) | None => Linkage::Internal,
    };
    let guid =
        if linkage.is_local() { Guid::of_local(module_id, name) } else { Guid::of_global(name) };
    Symbol {
        name: name.to_owned(),
        guid,
        linkage,
        visibility: Visibility::Default,
        dso_local: linkage.is_local(),
        comdat: Comdat::None,
        address_space,
        address_taken: false,
        used: false,
        used_by_host: false,
        content: None,
        prototype: None,
        body,
    }
}

/// Returns the body of a symbol, and its address space.
fn body(text: &str, name: &str, found: &Found<'_, '_>) -> (Body, u32) {
    if let Some(tokens) = &found.inside {
        let space = match tokens.first() {
            Some(PtxToken::Word(".shared")) => PtxSpace::Shared,
            Some(PtxToken::Word(".const")) => PtxSpace::Const,
            _ => PtxSpace::Global,
        };
        return (variable(&VariableHead::read(tokens, name), false), number(space));
    }
    let Some(item) = found.item else { return (Body::Declaration(Declaration::Function), 0) };
    match item.kind {
        PtxItemKind::Variable(space) => {
            let head = VariableHead::read(&tokens(text, item.head.clone()), name);
            let is_dynamic = head.size.is_none() && space == PtxSpace::Shared;
            let body = match item.is_definition() {
                true => variable(&head, item.initializer.is_some()),
                false if is_dynamic => {
                    Body::Declaration(Declaration::DynamicShared(head.alignment.max(1)))
                }
                false => Body::Declaration(Declaration::Variable),
            };
            (body, number(space))
        }
        _ if found.alias.is_some() => {
            // The target follows when all symbols are known.
            (Body::Alias(AliasSummary { target: SymbolIndex(0) }), 0)
        }
        PtxItemKind::Kernel if !item.is_definition() => (Body::Declaration(Declaration::Kernel), 0),
        _ if !item.is_definition() => (Body::Declaration(Declaration::Function), 0),
        kind => {
            let head = found.head(text, name);
            let flags = FunctionFlags {
                kernel: kind == PtxItemKind::Kernel,
                no_return: head.never_returns,
                no_inline: head.is_not_inlined,
                no_unwind: true,
                not_importable: true,
                ..FunctionFlags::default()
            };
            let launch_bounds = head.bounds;
            (Body::Function(FunctionSummary { flags, launch_bounds, ..Default::default() }), 0)
        }
    }
}

fn variable(head: &VariableHead, is_initialized: bool) -> Body {
    Body::Variable(VariableSummary {
        size: head.size.unwrap_or_default(),
        alignment: head.alignment,
        initialized: is_initialized,
        externally_initialized: head.is_managed,
        handle: head.handle,
        ..VariableSummary::default()
    })
}

/// Returns NVPTX's number of an address space.
fn number(space: PtxSpace) -> u32 {
    match space {
        PtxSpace::Global => 1,
        PtxSpace::Shared => 3,
        PtxSpace::Const => 4,
    }
}

/// Adds to variables and aliases the symbols that they name.
pub(super) fn add_references(
    text: &str,
    found: &BTreeMap<&str, Found<'_, '_>>,
    find: impl Fn(&str) -> Option<usize>,
    symbols: &mut [Symbol],
) {
    let named = |range: &Range<usize>| -> BTreeSet<SymbolIndex> {
        let tokens = tokens(text, range.clone());
        names(&tokens).filter_map(&find).map(index).collect()
    };
    for (found, symbol) in found.values().zip(symbols) {
        match &mut symbol.body {
            Body::Variable(variable) => {
                let value = found.item.and_then(|item| item.initializer.as_ref());
                variable.references = value.map(&named).unwrap_or_default().into_iter().collect();
            }
            Body::Alias(alias) => {
                let own = find(&symbol.name).map(index);
                let named = found.alias.map(|item| named(&item.head)).unwrap_or_default();
                match named.into_iter().find(|&target| Some(target) != own) {
                    Some(target) => alias.target = target,
                    None => symbol.body = Body::Declaration(Declaration::Function),
                }
            }
            Body::Function(_) | Body::Declaration(_) => {}
        }
    }
}

/// Returns the symbols that others name other than as callees, sorted.
pub(super) fn taken_addresses(symbols: &[Symbol]) -> Vec<SymbolIndex> {
    let mut taken = BTreeSet::new();
    for symbol in symbols {
        match &symbol.body {
            Body::Function(function) => taken.extend(function.references.iter().copied()),
            Body::Variable(variable) => taken.extend(variable.references.iter().copied()),
            Body::Alias(alias) => taken.extend([alias.target]),
            Body::Declaration(_) => {}
        }
    }
    taken.into_iter().collect()
}

pub(super) fn mark_taken_addresses(symbols: &mut [Symbol]) {
    for SymbolIndex(taken) in taken_addresses(symbols) {
        if let Some(symbol) = symbols.get_mut(taken as usize) {
            symbol.address_taken = true;
        }
    }
}

/// Returns the variables in global memory that code of the module may write. `escaped` says of each
/// symbol whether its address escapes.
///
/// Code cannot write constant memory, and shared memory has no initial value to fold.
pub(super) fn written(symbols: &[Symbol], escaped: &[bool]) -> Vec<SymbolIndex> {
    let mut written: BTreeSet<SymbolIndex> =
        (0..symbols.len()).filter(|&place| escaped.get(place) == Some(&true)).map(index).collect();
    // Code that reads a pointer from a variable can write through it.
    for symbol in symbols.iter().filter(|symbol| !is_table(&symbol.name)) {
        written.extend(symbol.variable().into_iter().flat_map(|variable| &variable.references));
    }
    let is_writable = |target: &SymbolIndex| {
        symbols.get(target.0 as usize).is_some_and(|symbol| {
            let is_variable =
                matches!(symbol.body, Body::Variable(_) | Body::Declaration(Declaration::Variable));
            let is_literal = symbol.linkage.is_local()
                && LITERALS.iter().any(|start| symbol.name.starts_with(start));
            is_variable && symbol.address_space == 1 && !is_literal && !is_table(&symbol.name)
        })
    };
    written.into_iter().filter(is_writable).collect()
}

fn is_table(name: &str) -> bool {
    TABLES.iter().any(|start| name.starts_with(start))
}
