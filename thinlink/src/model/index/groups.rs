//! Grouping the visible symbols of all modules by name.
//!
//! Names are long and alike, so they are compared as little as possible: hashes are sorted, and
//! only names of equal hashes are compared, to tell equal names from the rare collision. The order
//! of groups has no meaning.

use rayon::prelude::*;

use super::clashes::{self, Clash};
use super::table::Index;
use crate::model::ids::{ModuleIndex, NodeId};
use crate::model::name_hash::hash;

/// A visible node behind the upper half of its name's hash, so that numbers alone are sorted. The
/// lowest bit of that half is replaced by [`FIRST`].
type HashedNode = u64;

/// Bit of the first node of a name.
const FIRST: HashedNode = 1 << 32;

/// The visible nodes, grouped by name.
pub(super) struct Groups {
    /// The nodes by name, then by number.
    hashed: Vec<HashedNode>,
}

impl Groups {
    /// Groups the visible nodes.
    pub(super) fn new(index: &Index<'_>) -> Self {
        let mut hashed: Vec<HashedNode> =
            index.modules().into_par().flat_map_iter(|module| hashes(index, module)).collect();
        hashed.par_sort_unstable();
        let of_hash = hashed.par_chunk_by_mut(|one, other| one >> 33 == other >> 33);
        of_hash.for_each(|same| mark_first(index, same));
        Self { hashed }
    }

    /// Finds warnings about the definitions of each name, and the first clash.
    pub(super) fn disagreements(&self, index: &Index<'_>) -> (Vec<String>, Option<Clash>) {
        let groups = self.hashed.par_chunk_by(|_, next| !is_first(*next));
        let found: Vec<Result<Vec<String>, Clash>> = groups
            .filter(|group| group.len() > 1)
            .map(|group| clashes::check(index, group.iter().map(|&hashed| node(hashed))))
            .filter(|checked| checked.as_ref().map_or(true, |warnings| !warnings.is_empty()))
            .collect();
        let (mut warnings, mut first) = (Vec::new(), None);
        for checked in found {
            match checked {
                Ok(mut more) => warnings.append(&mut more),
                Err(clash) => first = Clash::first(first, Some(clash)),
            }
        }
        warnings.sort_unstable();
        (warnings, first)
    }

    /// Returns the nodes of each name, in order.
    pub(super) fn iter(
        &self,
    ) -> impl Iterator<Item = impl Iterator<Item = NodeId> + Clone + '_> + '_ {
        self.hashed
            .chunk_by(|_, next| !is_first(*next))
            .map(|group| group.iter().map(|&hashed| node(hashed)))
    }
}

fn hashes<'a>(index: &'a Index<'_>, module: ModuleIndex) -> impl Iterator<Item = HashedNode> + 'a {
    let visible = index.own_nodes(module).filter(|&node| index.code.is_visible(node));
    visible.map(|node| {
        let upper = hash(index.code.name(node)) & !u64::from(u32::MAX) & !FIRST;
        upper | u64::from(node.number())
    })
}

/// Sorts nodes of the same hash by name, and marks the first of each name.
fn mark_first(index: &Index<'_>, same: &mut [HashedNode]) {
    let name = |hashed: HashedNode| index.code.name(node(hashed));
    if let [first, others @ ..] = same
        && others.iter().any(|&other| name(other) != name(*first))
    {
        same.sort_by_key(|&hashed| (name(hashed), hashed));
        for place in 1..same.len() {
            if name(same[place]) != name(same[place - 1]) {
                same[place] |= FIRST;
            }
        }
    }
    if let Some(first) = same.first_mut() {
        *first |= FIRST;
    }
}

fn is_first(hashed: HashedNode) -> bool {
    hashed & FIRST != 0
}

/// Returns the node, which is the lower half.
#[expect(clippy::cast_possible_truncation, reason = "the lower half is what is asked for")]
fn node(hashed: HashedNode) -> NodeId {
    NodeId::new(hashed as u32)
}
