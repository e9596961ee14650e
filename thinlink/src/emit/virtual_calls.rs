//! Resolutions of virtual calls in the plan of a module.

use std::collections::BTreeSet;

use weft_artifact::{VirtualCall, VirtualCallOutcome, VirtualCallResolution};

use super::resolve::LinkedNames;
use crate::analyses::devirtualize::{Devirtualized, Outcome};
use crate::closing::Closing;
use crate::imports::Imports;
use crate::model::ids::{ModuleIndex, NodeId};

/// Returns the resolutions of the virtual calls in the own and the imported bodies of `module`.
pub(super) fn plan(
    virtual_calls: &Devirtualized,
    names: LinkedNames<'_, '_>,
    closing: &Closing,
    imports: &Imports,
    module: ModuleIndex,
) -> Vec<VirtualCallResolution> {
    if virtual_calls.is_empty() {
        return Vec::new();
    }
    let index = names.index;
    let own = index.nodes(module).filter(|&node| closing.stays(node) && index.may_be_used(node));
    let bodies = own.chain(imports.imported.iter().copied());
    let calls: BTreeSet<VirtualCall> = bodies
        .filter_map(|node| index.function(node))
        .flat_map(|function| function.virtual_calls().iter().copied())
        .collect();
    let resolution = |call: VirtualCall| {
        let outcome = match virtual_calls.outcome(call)? {
            Outcome::Returns(result) => VirtualCallOutcome::Returns(*result),
            Outcome::Calls(targets) => {
                let name = |&node: &NodeId| names.of(module, node).into_owned();
                let mut names: Vec<String> = targets.iter().map(name).collect();
                names.sort_unstable();
                VirtualCallOutcome::Calls(names)
            }
        };
        Some(VirtualCallResolution { call, outcome })
    };
    calls.into_iter().filter_map(resolution).collect()
}
