//! Locals of one name in several units of a job.
//!
//! nvcc derives the names of a unit's locals from its path, except in inline and weak functions:
//! their static variables and lambdas have the same names in every unit.

use crate::model::error::LinkError;
use crate::model::ids::{ModuleIndex, NodeId};

use super::locals_reached::locals_reached;
use super::program::Program;

/// Refuses a job that reads another unit with a local of the same name, if nvlink takes both:
/// it would give one of them a new name, and nothing could tell them apart.
pub(super) fn check_name(
    program: &Program<'_, '_>,
    units: &[ModuleIndex],
    node: NodeId,
) -> Result<(), LinkError> {
    let index = program.index;
    if !index.is_local(node) {
        return Ok(());
    }
    let (name, own) = (index.name(node), index.member(node));
    let others = units.iter().copied().filter(|&unit| unit != own);
    let mut locals =
        others.filter_map(|unit| index.find(unit, name).filter(|&symbol| index.is_local(symbol)));
    // Where the unit itself is not read, another unit has an equal merged function in its place.
    let other = locals.find(|&local| units.contains(&own) && is_taken(program, units, local));
    match other {
        None => Ok(()),
        Some(other) => {
            let other = index.member(other);
            Err(LinkError::SameLocal {
                symbol: name.to_owned(),
                first: index.unit(own.min(other)).path.clone(),
                second: index.unit(own.max(other)).path.clone(),
            })
        }
    }
}

/// Whether nvlink takes the local at `node` when it links `units`. It does if a definition of the
/// same unit that is not replaced refers to the local, directly or through other locals.
fn is_taken(program: &Program<'_, '_>, units: &[ModuleIndex], node: NodeId) -> bool {
    let index = program.index;
    let unit = index.member(node);
    let is_root = |&root: &NodeId| {
        index.is_definition(root) && !index.is_local(root) && stays(program, units, root)
    };
    locals_reached(index, index.own_nodes(unit).filter(is_root).collect()).contains(&node)
}

/// Whether nvlink takes the definition at `node` among those in `units`: the first, or a strong
/// one.
fn stays(program: &Program<'_, '_>, units: &[ModuleIndex], node: NodeId) -> bool {
    let index = program.index;
    if !index.linkage(node).is_merged() {
        return true;
    }
    let name = index.name(node);
    let definitions = units.iter().filter_map(|&unit| index.find(unit, name));
    let mut definitions = definitions.filter(|&copy| index.is_definition(copy));
    let strong = definitions.clone().find(|&copy| !index.linkage(copy).is_merged());
    strong.or_else(|| definitions.next()) == Some(node)
}
