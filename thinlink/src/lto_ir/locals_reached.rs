//! The locals that definitions of a unit keep alive.

use std::collections::BTreeSet;

use crate::model::ids::NodeId;
use crate::model::index::Index;

/// Returns the locals that the definitions `from` refer to, directly or through other locals.
pub(super) fn locals_reached(index: &Index<'_>, from: Vec<NodeId>) -> BTreeSet<NodeId> {
    let mut reached = BTreeSet::new();
    let mut queue = from;
    while let Some(next) = queue.pop() {
        let unit = index.member(next);
        let mut meet = |target: NodeId| {
            if index.is_local(target) && index.member(target) == unit && reached.insert(target) {
                queue.push(target);
            }
        };
        index.for_each_reference(next, &mut meet);
        let function = index.function(next);
        let calls = function.iter().flat_map(|function| function.calls());
        calls.for_each(|call| meet(call.callee()));
    }
    reached
}
