//! One thread's facts about nodes, cleared between modules at the cost of what was marked.

use crate::index::Node;

/// Facts about nodes, all absent at first.
pub(super) struct Scratch {
    /// Position of each candidate among the decisions, plus 1.
    slots: Vec<u32>,
    /// What is needed.
    needed: Vec<bool>,
    marked: Vec<Node>,
}

impl Scratch {
    pub(super) fn new(nodes: usize) -> Self {
        Self { slots: vec![0; nodes], needed: vec![false; nodes], marked: Vec::new() }
    }

    /// The position that the candidate at `node` was given.
    pub(super) fn slot(&self, node: Node) -> Option<usize> {
        self.slots[node].checked_sub(1).map(|slot| slot as usize)
    }

    pub(super) fn set_slot(&mut self, node: Node, slot: usize) {
        self.slots[node] = super::number(slot + 1);
        self.marked.push(node);
    }

    /// Marks `node` as needed. Says whether it was not before.
    pub(super) fn need(&mut self, node: Node) -> bool {
        let new = !self.needed[node];
        if new {
            self.needed[node] = true;
            self.marked.push(node);
        }
        new
    }

    pub(super) fn clear(&mut self) {
        for node in self.marked.drain(..) {
            self.slots[node] = 0;
            self.needed[node] = false;
        }
    }
}
