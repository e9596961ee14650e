//! Grouping the visible symbols of all modules by name.
//!
//! Names are long and alike, so they are compared as little as possible: hashes are sorted, and only
//! names of equal hashes are compared, to tell equal names from the rare collision. The order of groups
//! means nothing to anyone.

use rayon::prelude::*;

use super::clashes::{self, Clash};
use super::table::{Index, Module, position};
use crate::model::name_hash::hash;

/// A visible node after the upper half of its name's hash, so that numbers alone are sorted. Of that
/// half, the lowest bit gives way to [`FIRST`].
type Hashed = u64;

/// The node is the first of its name.
const FIRST: Hashed = 1 << 32;

/// The visible nodes, grouped by name.
pub(super) struct Groups {
    /// By name, then by number.
    hashed: Vec<Hashed>,
}

impl Groups {
    pub(super) fn new(index: &Index<'_>) -> Self {
        let mut hashed: Vec<Hashed> = (0..index.units.len())
            .into_par_iter()
            .flat_map_iter(|module| hashes(index, module))
            .collect();
        hashed.par_sort_unstable();
        let of_hash = hashed.par_chunk_by_mut(|one, other| one >> 33 == other >> 33);
        of_hash.for_each(|same| mark_first(index, same));
        Self { hashed }
    }

    /// What the user should hear of the definitions of each name, and the first clash.
    pub(super) fn disagreements(&self, index: &Index<'_>) -> (Vec<String>, Option<Clash>) {
        let groups = self.hashed.par_chunk_by(|_, next| !is_first(*next));
        let found: Vec<Result<Vec<String>, Clash>> = groups
            .filter(|group| group.len() > 1)
            .map(|group| clashes::check(index, group.iter().map(|&it| node(it) as usize)))
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

    /// The nodes of each name, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = impl Iterator<Item = u32> + Clone + '_> + '_ {
        self.hashed
            .chunk_by(|_, next| !is_first(*next))
            .map(|group| group.iter().map(|&it| node(it)))
    }
}

fn hashes<'a>(index: &'a Index<'_>, module: Module) -> impl Iterator<Item = Hashed> + 'a {
    let visible = index.nodes(module).filter(|&node| index.code.is_visible(node));
    visible.map(|node| {
        let upper = hash(index.code.name(node)) & !u64::from(u32::MAX) & !FIRST;
        upper | u64::from(position(node))
    })
}

/// Sorts nodes of the same hash by name, and marks the first of each.
fn mark_first(index: &Index<'_>, same: &mut [Hashed]) {
    let name = |it: Hashed| index.code.name(node(it) as usize);
    if let [first, others @ ..] = same
        && others.iter().any(|&it| name(it) != name(*first))
    {
        same.sort_by_key(|&it| (name(it), it));
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

fn is_first(hashed: Hashed) -> bool {
    hashed & FIRST != 0
}

/// The node, in the lower half.
fn node(hashed: Hashed) -> u32 {
    u32::try_from(hashed & u64::from(u32::MAX)).unwrap_or_default()
}
