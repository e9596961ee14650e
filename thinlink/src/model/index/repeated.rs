//! Definitions that are like an earlier one of their name, which callers can skip.
//!
//! Cost: a comparison with the first definition for each further one of a name, in parallel.

use rayon::prelude::*;

use super::table::Index;
use crate::model::ids::NodeId;

/// Notes which definitions are like the first one of their name, by the roles of all definitions.
pub(super) fn note_repeated(index: &mut Index<'_>) {
    let repeated: Vec<bool> =
        index.all_nodes().into_par().map(|node| is_like_first(index, node)).collect();
    for (facts, is_repeated) in index.facts.iter_mut().zip(repeated) {
        facts.set_repeated(is_repeated);
    }
}

/// Whether the definition at `node`, whose edges are bound, is a later one that is like the first
/// definition of its name, and the first may be used. It is compared with no other definition, so a
/// name costs no more than it has definitions.
fn is_like_first(index: &Index<'_>, node: NodeId) -> bool {
    let copies = index.copies(index.leader(node)).unwrap_or_default();
    copies.first().is_some_and(|&first| {
        first < node && index.may_be_used(first) && index.code.is_alike(first, node)
    })
}
