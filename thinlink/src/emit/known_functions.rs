//! Functions that other modules need, as far as there is something to say of them, in the order of their
//! names. Each module is told of those that it does not import.
//!
//! Cost: a sort of their names for all modules together; per module a sort of numbers.

use std::borrow::Cow;

use rayon::prelude::*;
use weft_artifact::Known;

use super::resolve::linked_name;
use crate::analyses::attributes::Attributes;
use crate::model::index::{Index, Node};

/// Nothing to say.
const NONE: u32 = u32::MAX;

/// The functions.
pub(crate) struct KnownFunctions {
    /// In the order of their names in linked modules, with what is known of each under that name.
    known: Vec<(u32, Known)>,
    /// Of each node, its position among those.
    places: Vec<u32>,
}

/// A function while the functions are sorted by their names in linked modules. A program has hundreds of thousands,
/// so their names are not here.
struct Named {
    node: u32,
    /// Of a local: the position of its global name in a list of those.
    promoted: u32,
    known: Known,
}

impl KnownFunctions {
    /// Those among what is `exported`; none if modules are not to be told of `attributes`.
    pub(crate) fn new(
        index: &Index<'_>,
        exported: &[bool],
        attributes: Option<&Attributes>,
    ) -> Self {
        let nodes = (0..index.len()).into_par_iter().filter(|&node| exported[node]);
        let mut named: Vec<Named> = nodes
            .filter_map(|node| {
                let known = Known::of(attributes?.told(index, node, false)?, false);
                Some(Named { node: u32::try_from(node).ok()?, promoted: NONE, known })
            })
            .collect();
        // Nearly all are called as they are called in their module, so only the other names are kept.
        let mut locals = Vec::new();
        for named in named.iter_mut().filter(|named| index.is_local(named.node as usize)) {
            named.promoted = u32::try_from(locals.len()).unwrap_or(NONE);
            locals.push(named.node as usize);
        }
        let promoted: Vec<Cow<'_, str>> = locals
            .into_par_iter()
            .map(|node| linked_name(index, exported, index.module(node), node))
            .collect();
        let name = |named: &Named| match promoted.get(named.promoted as usize) {
            Some(name) => name,
            None => index.name(named.node as usize),
        };
        named.par_sort_unstable_by(|one, other| {
            name(one).cmp(name(other)).then(one.node.cmp(&other.node))
        });
        let mut places = vec![NONE; index.len()];
        for (place, named) in (0..).zip(&named) {
            places[named.node as usize] = place;
        }
        let known = named.into_iter().map(|named| (named.node, named.known)).collect();
        Self { known, places }
    }

    /// Those among `nodes`, in the order of their names, with what is known of each.
    pub(crate) fn among(&self, nodes: &[u32]) -> impl ExactSizeIterator<Item = (Node, Known)> {
        let places = nodes.iter().map(|&node| self.places[node as usize]);
        let mut places: Vec<u32> = places.filter(|&place| place != NONE).collect();
        places.sort_unstable();
        places.into_iter().map(|place| {
            let (node, known) = self.known[place as usize];
            (node as Node, known)
        })
    }
}
