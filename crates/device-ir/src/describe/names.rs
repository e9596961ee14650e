//! The symbols of a module by name, and which of them constants name.

use std::collections::{BTreeMap, BTreeSet};

use weft_artifact::{Body, Symbol, SymbolIndex};

use crate::assembly::Assembly;
use crate::handles::{Alias, Class, Global, Identity, Value, Variable, content};
use crate::module::Module;

/// List of symbols that must stay whoever refers to them.
const USED: &str = "llvm.used";
/// List of symbols that LLVM must keep. `__attribute__((used))` adds to it, and so does clang: each
/// visible variable that code of the unit names, since host code may be the one that does.
const COMPILER_USED: &str = "llvm.compiler.used";
/// clang's list of symbols that host code of the unit may name.
const USED_BY_HOST: &str = "__clang_gpu_used_external";

/// All symbols of a module but intrinsics, sorted by name.
pub(super) struct Names<'m> {
    globals: Vec<Global<'m>>,
    indices: BTreeMap<Identity, SymbolIndex>,
    used: BTreeSet<Global<'m>>,
    used_by_host: BTreeSet<Global<'m>>,
    named_by_assembly: BTreeSet<Global<'m>>,
    /// Aliasees of aliases that other modules see.
    aliased: BTreeSet<Global<'m>>,
}

/// The symbols of a module but intrinsics, sorted by name.
pub(super) fn sorted<'m>(module: &'m Module<'_>) -> Vec<Global<'m>> {
    let mut globals = module.globals();
    globals.retain(|global| !global.is_intrinsic());
    globals.sort_by_cached_key(|global| global.name());
    globals
}

impl<'m> Names<'m> {
    pub(super) fn of(module: &'m Module<'_>, assembly: &Assembly) -> Self {
        let globals = sorted(module);
        let identities = globals.iter().map(|global| global.identity());
        let indices = identities.zip((0..).map(SymbolIndex));
        let members = |list: &str| globals_in(module.global(list).and_then(content));
        let named_by_assembly = assembly.named(module).into_iter().collect();
        let (mut used, by_compiler) = (members(USED), members(COMPILER_USED));
        let mut used_by_host = members(USED_BY_HOST);
        let marked = |global: &Global<'m>| used.contains(global);
        let named = |global: &Global<'m>| BTreeSet::contains(&named_by_assembly, global);
        let is_listed_by_clang =
            |global: &&Global<'m>| may_be_shadowed(**global) && !marked(global) && !named(global);
        used_by_host.extend(by_compiler.iter().filter(is_listed_by_clang));
        used.extend(by_compiler);
        let aliases = globals.iter().filter(|global| !global.linkage().is_local());
        Self {
            indices: indices.collect(),
            used,
            used_by_host,
            named_by_assembly,
            aliased: aliases
                .filter_map(|global| Alias::of(*global))
                .flat_map(|alias| globals_in([alias.aliasee()]))
                .collect(),
            globals,
        }
    }

    /// The symbols, sorted by name.
    pub(super) fn iter(&self) -> impl Iterator<Item = Global<'m>> {
        self.globals.iter().copied()
    }

    pub(super) fn index(&self, global: Global<'m>) -> Option<SymbolIndex> {
        self.index_of(global.identity())
    }

    /// The symbol that a value is, if it is one.
    pub(super) fn index_of(&self, value: Identity) -> Option<SymbolIndex> {
        self.indices.get(&value).copied()
    }

    pub(super) fn global(&self, index: SymbolIndex) -> Option<Global<'m>> {
        self.globals.get(index.0 as usize).copied()
    }

    /// Whether the symbol must stay under its name, regardless of references to it.
    pub(super) fn is_used(&self, global: Global<'m>) -> bool {
        self.used.contains(&global) || self.is_named_by_assembly(global)
    }

    pub(super) fn is_named_by_assembly(&self, global: Global<'m>) -> bool {
        self.named_by_assembly.contains(&global)
    }

    /// The symbols named by `words`, sorted.
    pub(super) fn among<'words>(
        &self,
        words: impl IntoIterator<Item = &'words String>,
    ) -> Vec<SymbolIndex> {
        let find =
            |word: &String| self.globals.binary_search_by_key(word, |global| global.name()).ok();
        let positions = words.into_iter().filter_map(find);
        let named = positions.filter_map(|position| u32::try_from(position).ok());
        named.map(SymbolIndex).collect()
    }

    pub(super) fn is_used_by_host(&self, global: Global<'m>) -> bool {
        self.used_by_host.contains(&global)
    }

    pub(super) fn has_visible_alias(&self, global: Global<'m>) -> bool {
        self.aliased.contains(&global)
    }

    /// The symbols that `values` name, directly or inside constants, sorted.
    pub(super) fn named_by(&self, values: impl IntoIterator<Item = Value<'m>>) -> Vec<SymbolIndex> {
        let globals = globals_in(values);
        let mut named: Vec<_> =
            globals.into_iter().filter_map(|global| self.index(global)).collect();
        named.sort_unstable();
        named
    }
}

/// Whether host code can name the symbol through a shadow variable: clang makes variables with a
/// shadow visible, so only its user can have listed a local one.
fn may_be_shadowed(global: Global<'_>) -> bool {
    let variable = Variable::of(global).filter(|variable| !variable.is_declaration());
    variable.is_some() && !global.linkage().is_local() && matches!(global.address_space(), 1 | 4)
}

/// The global values that `values` are or hold inside constants.
pub(super) fn globals_in<'m>(values: impl IntoIterator<Item = Value<'m>>) -> BTreeSet<Global<'m>> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut pending: Vec<_> = values.into_iter().collect();
    while let Some(value) = pending.pop() {
        // Most operands are instructions, arguments and numbers: no set is asked for those.
        if !value.is_a(Class::Constant) {
            continue;
        }
        if let Some(global) = Global::of(value) {
            found.insert(global);
            continue;
        }
        let mut operands = value.operands().peekable();
        if operands.peek().is_some() && seen.insert(value) {
            pending.extend(operands);
        }
    }
    found
}

/// Marks every symbol that another one names other than as a direct callee. The lists of what is
/// used do not count: they are LLVM's, and no code.
pub(super) fn mark_taken_addresses(symbols: &mut [Symbol]) {
    let is_list = |symbol: &Symbol| symbol.name.starts_with("llvm.") || symbol.name == USED_BY_HOST;
    let mut taken = BTreeSet::new();
    for symbol in symbols.iter().filter(|symbol| !is_list(symbol)) {
        match &symbol.body {
            Body::Function(function) => {
                taken.extend(function.references.iter().copied());
            }
            Body::Variable(variable) => taken.extend(variable.references.iter().copied()),
            Body::Alias(_) | Body::Declaration(_) => {}
        }
    }
    for index in taken {
        if let Some(symbol) = symbols.get_mut(index.0 as usize) {
            symbol.address_taken = true;
        }
    }
}
