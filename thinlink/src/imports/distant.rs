//! Calls that no body contains, bound to their callees.
//!
//! A profile of an optimized program lists the functions that were inlined into each function, also
//! through others and through pointers, and metadata lists the callees of an indirect call. The
//! callee is known by its GUID alone, and the caller's module may not even declare it. If it is
//! imported, it is available once the calls on the path are inlined or become direct. LLVM's thin
//! link has edges for such calls, too.
//!
//! No other phase follows them: a function that is only reached by such calls is called by name in
//! a body on the path.
//!
//! Cost: a hash of every function's name if there is any such call, and nothing otherwise.

use std::collections::BTreeMap;

use weft_artifact::Guid;

use super::decision::{Class, class_of};
use crate::model::ids::NodeId;
use crate::model::index::Index;

/// The calls, by caller.
#[derive(Default)]
pub(super) struct DistantCalls {
    calls: BTreeMap<NodeId, Vec<(NodeId, Class)>>,
}

impl DistantCalls {
    pub(super) fn new(index: &Index<'_>) -> Self {
        let mut calls = BTreeMap::new();
        let mut functions = None;
        for caller in index.distant_callers() {
            let Some(function) = index.function(caller) else { continue };
            let functions = functions.get_or_insert_with(|| Functions::new(index));
            let bound = function
                .distant_calls()
                .iter()
                .filter_map(|call| Some((functions.find(call.callee)?, class_of(call.hotness))));
            calls.insert(caller, bound.collect());
        }
        Self { calls }
    }

    /// Returns the callees of `caller` with the classes of the calls.
    pub(super) fn of(&self, caller: NodeId) -> &[(NodeId, Class)] {
        // Nearly all programs have no such call.
        if self.calls.is_empty() {
            return &[];
        }
        self.calls.get(&caller).map_or(&[], Vec::as_slice)
    }
}

/// All functions with bodies, by GUID.
struct Functions {
    by_guid: BTreeMap<Guid, NodeId>,
    /// Locals by the GUID of a visible function with the same name, which a profile may use
    /// instead; `None` if several locals share the name.
    by_name: BTreeMap<Guid, Option<NodeId>>,
}

impl Functions {
    fn new(index: &Index<'_>) -> Self {
        let (mut by_guid, mut by_name) = (BTreeMap::new(), BTreeMap::new());
        for node in index.all_nodes().filter(|&node| index.is_function(node)) {
            let name = index.name(index.leader(node));
            if index.is_local(node) {
                let module_id = index.module_id(index.member(node));
                by_guid.insert(Guid::of_local(module_id, name), node);
                by_name
                    .entry(Guid::of_global(name))
                    .and_modify(|known| *known = None)
                    .or_insert(Some(node));
            } else if let Some(provider) = index.provider(node) {
                by_guid.insert(Guid::of_global(name), provider);
            }
        }
        Self { by_guid, by_name }
    }

    fn find(&self, guid: Guid) -> Option<NodeId> {
        let exact = self.by_guid.get(&guid).copied();
        exact.or_else(|| self.by_name.get(&guid).copied().flatten())
    }
}
