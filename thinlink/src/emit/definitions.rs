//! Definitions in the plan of a module that some module declares otherwise.

use std::collections::BTreeMap;

use weft_artifact::PlannedDefinition;

use crate::analyses::misdeclared::Misdeclared;
use crate::imports::Imports;
use crate::model::ids::{ModuleIndex, NodeId};
use crate::model::index::Index;

/// Returns the definitions that `module` may name, given its imports, sorted by name. It names what
/// its own bitcode declares or defines, and what imported bodies need.
pub(super) fn plan(
    misdeclared: &Misdeclared,
    index: &Index<'_>,
    module: ModuleIndex,
    imports: &Imports,
) -> Vec<PlannedDefinition> {
    if misdeclared.is_empty() {
        return Vec::new();
    }
    let own = index.nodes(module).filter_map(|node| index.provider(node));
    let needed = imports.needed.iter().copied();
    let known = |node: NodeId| Some((index.name(node), misdeclared.kind(node)?));
    let plan: BTreeMap<_, _> = own.chain(needed).filter_map(known).collect();
    let planned = plan.into_iter();
    planned.map(|(name, kind)| PlannedDefinition { name: name.to_owned(), kind }).collect()
}
