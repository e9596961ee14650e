//! Sets of bodies, and where following them begins and ends.

use crate::model::ids::{NodeId, PerNode};

/// Where closures begin and end.
pub(super) struct Bounds<'a> {
    /// The most instructions of a closure.
    pub(super) limit: u32,
    /// For each node, whether closures begin there: see `starts` in `decide`.
    pub(super) starts: &'a PerNode<bool>,
    /// For each node, whether copies of the function would make the program too large.
    pub(super) shared: &'a PerNode<bool>,
}

/// A set of bodies, in the order in which they were met.
pub(super) struct Bodies {
    met: PerNode<bool>,
    list: Vec<NodeId>,
}

impl Bodies {
    pub(super) fn new(nodes: usize) -> Self {
        Self { met: PerNode::filled(false, nodes), list: Vec::new() }
    }

    /// Whether the body at `node` is met for the first time.
    pub(super) fn meet(&mut self, node: NodeId) -> bool {
        let is_new = !std::mem::replace(&mut self.met[node], true);
        if is_new {
            self.list.push(node);
        }
        is_new
    }

    /// The body that was met after `number` others.
    pub(super) fn get(&self, number: usize) -> Option<NodeId> {
        self.list.get(number).copied()
    }

    /// Number of bodies.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// All bodies, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.list.iter().copied()
    }

    /// All bodies, in order, which are then forgotten.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = NodeId> + '_ {
        let Self { met, list } = self;
        list.drain(..).map(|node| {
            met[node] = false;
            node
        })
    }
}
