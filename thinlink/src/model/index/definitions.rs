//! The definitions of names that several modules define.

use crate::model::ids::{NodeId, PerNode, number_of};

/// For each name with several definitions, the list of these.
pub(super) struct Definitions {
    /// For leaders of such names, the position of the list's head.
    heads: PerNode<u32>,
    /// The lists. Each one's head holds the number of nodes that follow.
    lists: Vec<NodeId>,
}

impl Definitions {
    /// No lists, for a program with that many nodes.
    pub(super) fn new(nodes: usize) -> Self {
        Self { heads: PerNode::filled(u32::MAX, nodes), lists: Vec::new() }
    }

    /// Adds the list of the name that `leader` leads.
    pub(super) fn add(&mut self, leader: NodeId, definitions: &[NodeId]) {
        self.heads[leader] = number_of(self.lists.len());
        self.lists.push(NodeId::new(number_of(definitions.len())));
        self.lists.extend_from_slice(definitions);
    }

    /// Returns the list of the name that `leader` leads, which has one.
    #[inline]
    pub(super) fn of(&self, leader: NodeId) -> &[NodeId] {
        let head = self.heads[leader] as usize;
        let length = self.lists[head].number() as usize;
        &self.lists[head + 1..=head + length]
    }
}
