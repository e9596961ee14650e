//! Functions that other modules need, as far as there is something to say of them, in the order of their
//! names. Each module is told of those that it does not import.
//!
//! Cost: a sort of their names for all modules together; per module a sort of numbers.

use rayon::prelude::*;

use crate::attributes::Attributes;
use crate::index::{Index, Node};
use crate::resolve::linked_name;

/// Nothing to say.
const NONE: u32 = u32::MAX;

/// The functions.
pub(crate) struct Others {
    /// In the order of their names in linked modules.
    nodes: Vec<u32>,
    /// Of each node, its position among those.
    places: Vec<u32>,
}

impl Others {
    /// Those among what is `exported`.
    pub(crate) fn new(index: &Index<'_>, exported: &[bool], attributes: &Attributes) -> Self {
        let is_told = |node: Node| attributes.told(index, node, false).is_some();
        let nodes = (0..index.len()).into_par_iter();
        let mut named: Vec<_> = nodes
            .filter(|&node| exported[node] && is_told(node))
            .map(|node| (linked_name(index, exported, node), node))
            .collect();
        named.par_sort_unstable();
        let mut places = vec![NONE; index.len()];
        for (place, &(_, node)) in (0..).zip(&named) {
            places[node] = place;
        }
        let nodes = named.into_iter().filter_map(|(_, node)| u32::try_from(node).ok()).collect();
        Self { nodes, places }
    }

    /// Those among `nodes`, in the order of their names.
    pub(crate) fn among(&self, nodes: &[u32]) -> impl ExactSizeIterator<Item = Node> {
        let places = nodes.iter().map(|&node| self.places[node as usize]);
        let mut places: Vec<u32> = places.filter(|&place| place != NONE).collect();
        places.sort_unstable();
        places.into_iter().map(|place| self.nodes[place as usize] as Node)
    }
}
