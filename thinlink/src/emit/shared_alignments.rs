//! Alignments of dynamic shared memory in the plan of a module.

use std::collections::{BTreeMap, BTreeSet};

use weft_artifact::SharedAlignment;

use crate::analyses::dynamic_shared::DynamicShared;
use crate::imports::Imports;
use crate::model::ids::{ModuleIndex, NodeId};
use crate::model::index::Index;

/// Returns the alignments that `module` has to change, given its imports, sorted by name.
pub(super) fn plan(
    dynamic_shared: &DynamicShared,
    index: &Index<'_>,
    module: ModuleIndex,
    imports: &Imports,
) -> Vec<SharedAlignment> {
    if dynamic_shared.is_empty() {
        return Vec::new();
    }
    let largest = |leader: NodeId| dynamic_shared.largest(leader);
    let mut plan: BTreeMap<&str, u32> = BTreeMap::new();
    let mut own = BTreeSet::new();
    for &(node, stated) in dynamic_shared.of(index, module) {
        let leader = index.leader(node);
        own.insert(leader);
        if largest(leader) != stated {
            plan.insert(index.name(leader), largest(leader));
        }
    }
    for &node in &imports.imported {
        let named = dynamic_shared.of(index, index.module(node));
        if named.is_empty() {
            continue;
        }
        index.for_each_edge(node, |edge| {
            let leader = index.leader(edge);
            let is_array = named.binary_search_by_key(&edge, |&(node, _)| node).is_ok();
            if is_array && !own.contains(&leader) {
                plan.insert(index.name(leader), largest(leader));
            }
        });
    }
    entries(plan)
}

/// Returns the alignments of all arrays that one of `units` declares, sorted by name.
pub(super) fn of_units(
    dynamic_shared: &DynamicShared,
    index: &Index<'_>,
    units: impl Iterator<Item = ModuleIndex>,
) -> Vec<SharedAlignment> {
    let declared = units.flat_map(|unit| dynamic_shared.of(index, unit));
    let leaders = declared.map(|&(node, _)| index.leader(node));
    entries(leaders.map(|leader| (index.name(leader), dynamic_shared.largest(leader))).collect())
}

fn entries(plan: BTreeMap<&str, u32>) -> Vec<SharedAlignment> {
    let entry = |(name, alignment): (&str, u32)| SharedAlignment { name: name.into(), alignment };
    plan.into_iter().map(entry).collect()
}
