//! The symbols of a module by name, and which of them constants name.

use std::collections::{BTreeMap, BTreeSet};

use llvm_sys::prelude::LLVMValueRef;
use weft_artifact::{Body, Symbol, SymbolIndex};

use crate::assembly::Assembly;
use crate::global::Global;
use crate::module::Module;
use crate::value;

/// Lists of symbols that must stay whoever refers to them.
const USED: [&str; 2] = ["llvm.used", "llvm.compiler.used"];
/// clang's list of symbols that host code of the unit may name.
const USED_BY_HOST: &str = "__clang_gpu_used_external";

/// All symbols of a module but intrinsics, sorted by name.
pub(super) struct Names<'module> {
    globals: Vec<Global<'module>>,
    indices: BTreeMap<LLVMValueRef, SymbolIndex>,
    used: BTreeSet<LLVMValueRef>,
    used_by_host: BTreeSet<LLVMValueRef>,
    named_by_assembly: BTreeSet<LLVMValueRef>,
    /// Aliases that other modules see stand for these.
    aliased: BTreeSet<LLVMValueRef>,
}

impl<'module> Names<'module> {
    pub(super) fn of(module: &'module Module<'module>, assembly: &Assembly) -> Self {
        let mut globals = module.globals();
        globals.retain(|global| !value::is_intrinsic(global.raw()));
        globals.sort_by_cached_key(|global| global.name());
        let indices =
            globals.iter().zip((0..).map(SymbolIndex)).map(|(it, index)| (it.raw(), index));
        let members =
            |list: &str| module.global(list).and_then(Global::content).map(|it| globals_in([it]));
        let aliases = globals.iter().filter(|it| it.is_alias() && !it.linkage().is_local());
        Self {
            indices: indices.collect(),
            used: USED.iter().filter_map(|list| members(list)).flatten().collect(),
            used_by_host: members(USED_BY_HOST).unwrap_or_default(),
            named_by_assembly: assembly.named(module).into_iter().map(Global::raw).collect(),
            aliased: aliases
                .filter_map(|it| it.content())
                .flat_map(|it| globals_in([it]))
                .collect(),
            globals,
        }
    }

    /// The symbols, sorted by name.
    pub(super) fn iter(&self) -> impl Iterator<Item = Global<'module>> {
        self.globals.iter().copied()
    }

    pub(super) fn index(&self, global: LLVMValueRef) -> Option<SymbolIndex> {
        self.indices.get(&global).copied()
    }

    pub(super) fn global(&self, index: SymbolIndex) -> Option<Global<'module>> {
        self.globals.get(index.0 as usize).copied()
    }

    /// Whether the symbol must stay, under its name, whoever refers to it.
    pub(super) fn is_used(&self, global: Global<'_>) -> bool {
        self.used.contains(&global.raw()) || self.is_named_by_assembly(global)
    }

    pub(super) fn is_named_by_assembly(&self, global: Global<'_>) -> bool {
        self.named_by_assembly.contains(&global.raw())
    }

    /// The symbols that `words` are the names of, sorted.
    pub(super) fn among<'words>(
        &self,
        words: impl IntoIterator<Item = &'words String>,
    ) -> Vec<SymbolIndex> {
        let find = |word: &String| self.globals.binary_search_by_key(word, |it| it.name()).ok();
        let named = words.into_iter().filter_map(find).filter_map(|it| u32::try_from(it).ok());
        named.map(SymbolIndex).collect()
    }

    pub(super) fn is_used_by_host(&self, global: Global<'_>) -> bool {
        self.used_by_host.contains(&global.raw())
    }

    pub(super) fn has_visible_alias(&self, global: Global<'_>) -> bool {
        self.aliased.contains(&global.raw())
    }

    /// The symbols that `values` name, directly or inside constants, sorted.
    pub(super) fn named_by(
        &self,
        values: impl IntoIterator<Item = LLVMValueRef>,
    ) -> Vec<SymbolIndex> {
        let mut named: Vec<_> =
            globals_in(values).into_iter().filter_map(|global| self.index(global)).collect();
        named.sort_unstable();
        named
    }
}

/// The global values that `values` are or hold inside constants.
pub(super) fn globals_in(values: impl IntoIterator<Item = LLVMValueRef>) -> BTreeSet<LLVMValueRef> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut pending: Vec<_> = values.into_iter().collect();
    while let Some(value) = pending.pop() {
        // Most operands are instructions, arguments and numbers: no set is asked for those.
        if !value::is_constant(value) {
            continue;
        }
        if value::is_global_value(value) {
            found.insert(value);
            continue;
        }
        let mut operands = value::operands(value).peekable();
        if operands.peek().is_some() && seen.insert(value) {
            pending.extend(operands);
        }
    }
    found
}

/// Marks every symbol that another one names other than as a direct callee. The lists of what is used
/// do not count: they are LLVM's, and no code.
pub(super) fn mark_taken_addresses(symbols: &mut [Symbol]) {
    let is_list = |symbol: &Symbol| symbol.name.starts_with("llvm.") || symbol.name == USED_BY_HOST;
    let mut taken = BTreeSet::new();
    for symbol in symbols.iter().filter(|symbol| !is_list(symbol)) {
        match &symbol.body {
            Body::Function(function) => {
                taken.extend(function.references.iter().map(|it| it.target));
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
