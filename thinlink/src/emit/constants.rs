//! Constants in the plan of a module that its own bitcode does not mark as constant.

use std::collections::BTreeSet;

use super::resolve::LinkedNames;
use crate::analyses::constants::Constants;
use crate::imports::Imports;
use crate::model::ids::{ModuleIndex, NodeId};

/// Returns the sorted names of the constants with a definition, own or imported, in the linked
/// module of `module`.
pub(super) fn plan(
    constants: &Constants,
    names: LinkedNames<'_, '_>,
    module: ModuleIndex,
    imports: &Imports,
) -> Vec<String> {
    let LinkedNames { index, liveness, .. } = names;
    let is_defined = |&node: &NodeId| index.is_definition(node) && liveness.live[node];
    let own = index.nodes(module).filter(is_defined);
    let all = own.chain(imports.imported.iter().copied());
    let held = all.filter(|&node| constants.holds(index, node));
    let names: BTreeSet<_> = held.map(|node| names.of(module, node).into_owned()).collect();
    names.into_iter().collect()
}
