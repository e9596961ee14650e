//! Sets of bodies, and the bounds within which their calls are followed.

use crate::model::ids::{NodeId, PerNode};

/// Limits within which calls are followed.
pub(super) struct Bounds<'a> {
    /// Largest number of instructions of a closure.
    pub(super) limit: u32,
    /// For each node, whether closures begin there: at live kernels, and at functions that stay
    /// where they are defined.
    pub(super) starts: &'a PerNode<bool>,
    /// For each node, whether copies of the function would make the program too large.
    pub(super) shared: &'a PerNode<bool>,
    /// The most functions that a module gets from others.
    pub(super) cutoff: Option<u32>,
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

    /// Adds the body at `node`, and says whether it is met for the first time.
    pub(super) fn meet(&mut self, node: NodeId) -> bool {
        let is_new = !std::mem::replace(&mut self.met[node], true);
        if is_new {
            self.list.push(node);
        }
        is_new
    }

    /// Returns the body that was met after `number` others.
    pub(super) fn get(&self, number: usize) -> Option<NodeId> {
        self.list.get(number).copied()
    }

    /// Returns the number of bodies.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns all bodies, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.list.iter().copied()
    }

    /// Returns all bodies, in order, and forgets them.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = NodeId> + '_ {
        let Self { met, list } = self;
        list.drain(..).inspect(|&node| met[node] = false)
    }
}
