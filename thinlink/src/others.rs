//! Functions that other modules need, as far as there is something to say of them, in the order of their
//! names. Each module is told of those that it does not import.
//!
//! Cost: a sort of their names for all modules together; per module a sort of numbers.

use rayon::prelude::*;
use weft_artifact::Known;

use crate::attributes::Attributes;
use crate::index::{Index, Node};
use crate::resolve::linked_name;

/// Nothing to say.
const NONE: u32 = u32::MAX;

/// The functions.
pub(crate) struct Others {
    /// In the order of their names in linked modules, with what is known of each under that name.
    known: Vec<(u32, Known)>,
    /// Of each node, its position among those.
    places: Vec<u32>,
}

impl Others {
    /// Those among what is `exported`; none if modules are not to be told of `attributes`.
    pub(crate) fn new(
        index: &Index<'_>,
        exported: &[bool],
        attributes: Option<&Attributes>,
    ) -> Self {
        let nodes = (0..index.len()).into_par_iter().filter(|&node| exported[node]);
        let mut named: Vec<_> = nodes
            .filter_map(|node| {
                let known = Known::of(attributes?.told(index, node, false)?, false);
                let name = linked_name(index, exported, index.module(node), node);
                Some((name, u32::try_from(node).ok()?, known))
            })
            .collect();
        named.par_sort_unstable_by(|(one, at, _), (other, at_other, _)| {
            one.cmp(other).then(at.cmp(at_other))
        });
        let mut places = vec![NONE; index.len()];
        for (place, &(_, node, _)) in (0..).zip(&named) {
            places[node as usize] = place;
        }
        let known = named.into_iter().map(|(_, node, known)| (node, known)).collect();
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
