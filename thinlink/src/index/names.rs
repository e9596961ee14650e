//! Grouping the visible symbols of all modules by name.
//!
//! Names are long and alike, so they are compared as little as possible: hashes are sorted, and only
//! names of equal hashes are compared, to tell equal names from the rare collision. The order of groups
//! means nothing to anyone.

use rayon::prelude::*;

use super::{Index, Module};
use crate::clashes::{self, Clash};
use crate::name_hash::hash;

/// A hash, and the node.
type Hashed = (u64, u32);

/// The visible nodes, grouped by name.
pub(super) struct Groups {
    /// By name, then by number.
    hashed: Vec<Hashed>,
    /// Some of different names have the same hash.
    collided: bool,
}

impl Groups {
    pub(super) fn new(index: &Index<'_>) -> Self {
        let mut hashed: Vec<Hashed> = (0..index.units.len())
            .into_par_iter()
            .flat_map_iter(|module| hashes(index, module))
            .collect();
        hashed.par_sort_unstable();
        let collided = hashed.par_chunk_by_mut(|one, other| one.0 == other.0).map(|same| {
            let name = |(_, node): &Hashed| index.code.name(*node as usize);
            let first = name(&same[0]);
            let collided = same.iter().any(|it| name(it) != first);
            if collided {
                same.sort_by_key(|it| (name(it), it.1));
            }
            collided
        });
        let collided = collided.reduce(|| false, |one, other| one || other);
        Self { hashed, collided }
    }

    /// What the user should hear of the definitions of each name, and the first clash.
    pub(super) fn disagreements(&self, index: &Index<'_>) -> (Vec<String>, Option<Clash>) {
        let groups = self.hashed.par_chunk_by(|one, other| self.same(index, one, other));
        let found: Vec<Result<Vec<String>, Clash>> = groups
            .filter(|group| group.len() > 1)
            .map(|group| clashes::check(index, group.iter().map(|&(_, node)| node as usize)))
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

    fn same(&self, index: &Index<'_>, one: &Hashed, other: &Hashed) -> bool {
        let name = |it: &Hashed| index.code.name(it.1 as usize);
        one.0 == other.0 && (!self.collided || name(one) == name(other))
    }

    /// The nodes of each name, in order.
    pub(super) fn iter<'a>(
        &'a self,
        index: &'a Index<'_>,
    ) -> impl Iterator<Item = impl Iterator<Item = u32> + Clone + 'a> + 'a {
        self.hashed
            .chunk_by(|one, other| self.same(index, one, other))
            .map(|group| group.iter().map(|&(_, node)| node))
    }
}

fn hashes<'a>(index: &'a Index<'_>, module: Module) -> impl Iterator<Item = Hashed> + 'a {
    let visible = index.nodes(module).filter(|&node| index.code.is_visible(node));
    visible.map(|node| (hash(index.code.name(node)), super::position(node)))
}
