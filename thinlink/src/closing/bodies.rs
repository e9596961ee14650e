//! Sets of bodies, and where following them begins and ends.

use crate::model::index::{Node, position};

/// Where closures begin and end.
pub(super) struct Bounds<'a> {
    /// The most instructions of a closure.
    pub(super) limit: u32,
    /// For each node, whether closures begin there: see `starts` in `decide`.
    pub(super) starts: &'a [bool],
    /// For each node, whether copies of the function would make the program too large.
    pub(super) shared: &'a [bool],
}

/// A set of bodies, in the order in which they were met.
pub(super) struct Bodies {
    met: Vec<bool>,
    list: Vec<u32>,
}

impl Bodies {
    pub(super) fn new(nodes: usize) -> Self {
        Self { met: vec![false; nodes], list: Vec::new() }
    }

    /// Whether the body at `node` is met for the first time.
    pub(super) fn meet(&mut self, node: Node) -> bool {
        let is_new = !std::mem::replace(&mut self.met[node], true);
        if is_new {
            self.list.push(position(node));
        }
        is_new
    }

    /// The body that was met after `number` others.
    pub(super) fn get(&self, number: usize) -> Option<Node> {
        self.list.get(number).map(|&node| node as usize)
    }

    /// Number of bodies.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// All bodies, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Node> + '_ {
        self.list.iter().map(|&node| node as usize)
    }

    /// All bodies, in order, which are then forgotten.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Node> + '_ {
        let Self { met, list } = self;
        list.drain(..).map(|node| {
            met[node as usize] = false;
            node as usize
        })
    }
}
