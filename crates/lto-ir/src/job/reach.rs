//! The symbols that others need, in the order of need.

use std::collections::BTreeSet;

use super::module::{Module, Symbol};

/// Symbols that some roots reach, these included.
#[derive(Debug, Default)]
pub(super) struct Reached {
    /// Names of the symbols, each after those that it names, apart from cycles.
    pub(super) order: Vec<String>,
    /// Names that are reached otherwise than by calls.
    pub(super) addressed: BTreeSet<String>,
}

impl Reached {
    /// Walks from `roots` in their order. Names in a body are met in the order of the body, so the
    /// result depends on what is reached alone. `ends` says of a symbol that its own names do not
    /// count.
    pub(super) fn of(
        module: &Module,
        roots: impl IntoIterator<Item = String>,
        ends: impl Fn(&str, &Symbol) -> bool,
    ) -> Self {
        let mut reached = Self::default();
        let mut met = BTreeSet::new();
        // Names whose own names are being met, with those that are left, the next one last.
        let mut open: Vec<(String, Vec<String>)> = Vec::new();
        for root in roots {
            reached.enter(module, root, &mut met, &mut open, &ends);
            while let Some((_, left)) = open.last_mut() {
                if let Some(next) = left.pop() {
                    reached.enter(module, next, &mut met, &mut open, &ends);
                } else if let Some((name, _)) = open.pop() {
                    reached.order.push(name);
                }
            }
        }
        reached
    }

    fn enter(
        &mut self,
        module: &Module,
        name: String,
        met: &mut BTreeSet<String>,
        open: &mut Vec<(String, Vec<String>)>,
        ends: &impl Fn(&str, &Symbol) -> bool,
    ) {
        let Some(symbol) = module.symbols.get(&name) else { return };
        if !met.insert(name.clone()) {
            return;
        }
        let mut names = Vec::new();
        if !ends(&name, symbol) {
            let found = module.names(symbol);
            self.addressed.extend(found.addressed);
            names = found.all;
            names.reverse();
        }
        open.push((name, names));
    }
}
