//! Functions that other modules need and whose attributes are known, in the order of their names.
//! Each module's plan states the attributes of the functions that it needs and does not import.
//!
//! Cost: a sort of their names for all modules together; per module a sort of numbers.

use std::borrow::Cow;

use rayon::prelude::*;
use weft_artifact::KnownAttributes;

use super::resolve::LinkedNames;
use crate::analyses::attributes::Attributes;
use crate::model::ids::{NodeId, PerNode};

/// Position of a function without known attributes.
const NONE: u32 = u32::MAX;

/// The functions.
pub(crate) struct KnownFunctions {
    /// The functions in the order of their names in linked modules, with the facts about each under
    /// that name.
    known: Vec<(NodeId, KnownAttributes)>,
    /// For each node, its position in `known`.
    places: PerNode<u32>,
}

/// A function while the functions are sorted by their names in linked modules. A program has
/// hundreds of thousands, so their names are not here.
struct Named {
    node: NodeId,
    /// For a local, the position of its global name in a list of such names.
    promoted: u32,
    known: KnownAttributes,
}

impl KnownFunctions {
    /// Collects the known functions among the `exported` ones; none if plans state no `attributes`.
    pub(crate) fn new(linked: LinkedNames<'_, '_>, attributes: Option<&Attributes>) -> Self {
        let LinkedNames { index, exported, .. } = linked;
        let nodes = index.all_nodes().into_par().filter(|&node| exported[node]);
        let mut named: Vec<Named> = nodes
            .filter_map(|node| {
                let known = KnownAttributes::of(attributes?.told(index, node, false)?, false);
                Some(Named { node, promoted: NONE, known })
            })
            .collect();
        // Nearly all keep their names, so only the other names are stored.
        let mut locals = Vec::new();
        let of_locals = named.iter_mut().filter(|named| index.is_local(named.node));
        for (place, named) in (0..).zip(of_locals) {
            named.promoted = place;
            locals.push(named.node);
        }
        let promoted: Vec<Cow<'_, str>> =
            locals.into_par_iter().map(|node| linked.of(index.module(node), node)).collect();
        let name = |named: &Named| match promoted.get(named.promoted as usize) {
            Some(name) => name,
            None => index.name(named.node),
        };
        named.par_sort_unstable_by(|one, other| {
            name(one).cmp(name(other)).then(one.node.cmp(&other.node))
        });
        let mut places = PerNode::filled(NONE, index.len());
        for (place, named) in (0..).zip(&named) {
            places[named.node] = place;
        }
        let known = named.into_iter().map(|named| (named.node, named.known)).collect();
        Self { known, places }
    }

    /// Returns the known functions among `nodes`, in the order of their names, with the facts about
    /// each.
    pub(crate) fn among(
        &self,
        nodes: &[NodeId],
    ) -> impl ExactSizeIterator<Item = (NodeId, KnownAttributes)> {
        let places = nodes.iter().map(|&node| self.places[node]);
        let mut places: Vec<u32> = places.filter(|&place| place != NONE).collect();
        places.sort_unstable();
        places.into_iter().map(|place| self.known[place as usize])
    }
}
