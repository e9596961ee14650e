//! `--thinlto-workload-def`: functions that belong together at run time, by their names.
//!
//! The module that defines a root imports exactly what the root's list says, and nothing by
//! threshold. A root that no module defines, or several, says nothing, as in LLVM.
//!
//! Cost: one pass over all symbols, if there is a definition at all.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::ids::{ModuleIndex, NodeId};
use crate::model::index::Index;
use crate::model::policy::ImportPolicy;

/// Imports of the modules with roots.
pub(super) struct Workload {
    lists: BTreeMap<ModuleIndex, BTreeSet<NodeId>>,
}

impl Workload {
    pub(super) fn new(index: &Index<'_>, policy: &ImportPolicy) -> Self {
        let mut lists: BTreeMap<ModuleIndex, BTreeSet<NodeId>> = BTreeMap::new();
        if policy.workload.is_empty() {
            return Self { lists };
        }
        let mut wanted: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
        for (root, callees) in &policy.workload {
            for name in callees.iter().chain([root]) {
                wanted.insert(name, Vec::new());
            }
        }
        for node in index.all_nodes() {
            let symbol = index.symbol(node);
            if let (true, Some(nodes)) = (symbol.is_definition(), wanted.get_mut(symbol.name())) {
                nodes.push(node);
            }
        }
        for (root, callees) in &policy.workload {
            let Some([root]) = wanted.get(root.as_str()).map(Vec::as_slice) else { continue };
            let list = lists.entry(index.module(*root)).or_default();
            let nodes = callees.iter().filter_map(|name| wanted.get(name.as_str())).flatten();
            list.extend(nodes.filter_map(|&node| index.provider(node)));
        }
        Self { lists }
    }

    /// Returns the functions that `module` imports, if it defines a root.
    pub(super) fn list(&self, module: ModuleIndex) -> Option<&BTreeSet<NodeId>> {
        self.lists.get(&module)
    }
}
