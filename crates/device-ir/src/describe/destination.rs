//! The identities that the values of one context have beside those of another one.

use std::collections::BTreeMap;

use super::names::sorted;
use crate::handles::Identity;
use crate::module::Module;

/// Symbols by name.
pub(super) type Symbols = BTreeMap<String, Identity>;

/// The way of facts that were read in one of several contexts to the module that they are for.
pub(super) struct Destination {
    /// Symbols of the context, as symbols of the module that all facts are for.
    symbols: BTreeMap<Identity, Identity>,
    /// Number of the context.
    context: usize,
}

impl Destination {
    /// The way from context number `context`, which has the symbols `from`, to the module with the
    /// symbols `to`. Symbols are the same if their names are.
    pub(super) fn new(from: &Symbols, to: &Symbols, context: usize) -> Self {
        let symbols = from.iter().filter_map(|(name, here)| Some((*here, *to.get(name)?)));
        Self { symbols: symbols.collect(), context }
    }

    /// The module's symbol for one of the context. LLVM's own functions are none.
    pub(super) fn symbol(&self, of_context: Identity) -> Option<Identity> {
        self.symbols.get(&of_context).copied()
    }

    /// A table by the module's symbols for one by the symbols of the context.
    pub(super) fn symbols<T, R>(
        &self,
        table: BTreeMap<Identity, T>,
        value: impl Fn(T) -> R,
    ) -> BTreeMap<Identity, R> {
        let entries = table.into_iter();
        entries.filter_map(|(key, entry)| Some((self.symbol(key)?, value(entry)))).collect()
    }

    /// The identity, beside those of other contexts, of a template of the context.
    pub(super) fn template(&self, of_context: Identity) -> Identity {
        of_context.in_context(self.context)
    }
}

/// The symbols of a module by name.
pub(super) fn symbols_of(module: &Module<'_>) -> Symbols {
    sorted(module).into_iter().map(|symbol| (symbol.name(), symbol.identity())).collect()
}
