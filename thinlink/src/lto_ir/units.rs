//! The units that a job reads.

use std::collections::BTreeSet;

use crate::model::ids::{ModuleIndex, NodeId};

use super::program::{Memory, Program};
use super::sharing::Sharing;

/// Returns the modules whose LTO IR the job of `module` reads, in the order of the link; none if
/// the job emits nothing.
pub(super) fn units(
    program: &Program<'_, '_>,
    sharing: &Sharing,
    module: ModuleIndex,
) -> Vec<ModuleIndex> {
    let index = program.index;
    let reached = &sharing.reached[module];
    let roots = sharing.emitted.roots(program, module);
    if roots.is_empty() {
        return Vec::new();
    }
    // The job's own unit has its roots itself, unless an equal one of another unit serves.
    let own = roots.into_iter().map(|node| index.member(node));
    let own = own.filter(|&unit| index.module_of(unit) == module);
    let held = reached
        .functions
        .iter()
        .chain(reached.variables.iter().filter(|&&variable| is_held(program, module, variable)))
        .filter(|&node| reached.foreign.binary_search(node).is_err());
    let (anywhere, definite): (Vec<NodeId>, Vec<NodeId>) =
        held.partition(|&&node| program.is_equal_everywhere(node));
    let mut units: BTreeSet<ModuleIndex> =
        definite.iter().map(|&node| index.member(node)).chain(own).chain([module]).collect();
    for node in anywhere {
        let copies = [node].into_iter().chain(index.definitions(node).iter().copied());
        let mut readable = copies.filter(|&copy| program.is_readable(module, copy));
        let mut definers = readable.clone().map(|copy| index.member(copy));
        if !definers.any(|definer| units.contains(&definer)) {
            units.extend(readable.next().map(|copy| index.member(copy)));
        }
    }
    let mut units: Vec<ModuleIndex> = units.into_iter().collect();
    units.sort_by_key(|&unit| index.link_place(unit));
    units
}

/// Whether the job reads the definition of `variable`: it emits the variable, or may fold it.
fn is_held(program: &Program<'_, '_>, module: ModuleIndex, variable: NodeId) -> bool {
    match program.memory(variable) {
        Some(Memory::Written) => program.index.module(variable) == module,
        Some(Memory::SmallConstant | Memory::LargeConstant) => true,
        // A local or merged variable is held by the functions that use it.
        Some(Memory::Block) => {
            let index = program.index;
            !index.is_local(variable) && !index.linkage(variable).is_merged()
        }
        None => false,
    }
}
