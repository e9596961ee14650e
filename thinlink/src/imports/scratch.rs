//! One thread's facts about nodes, cleared between modules at the cost of what was marked.

use crate::index::{Module, Node};

/// Facts about nodes, all absent at first.
pub(super) struct Scratch {
    /// Position of each candidate among the decisions, plus 1.
    slots: Vec<u32>,
    /// What is needed.
    needed: Vec<bool>,
    marked: Vec<Node>,
    /// Of each name, at its leader: the last module, plus 1, that has a body of its own for it. Never
    /// cleared.
    owner: Vec<u32>,
}

impl Scratch {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            slots: vec![0; nodes],
            needed: vec![false; nodes],
            marked: Vec::new(),
            owner: vec![0; nodes],
        }
    }

    /// Notes that `module` has a body of its own for what `leader` leads.
    pub(super) fn set_owner(&mut self, leader: Node, module: Module) {
        self.owner[leader] = super::number(module + 1);
    }

    /// Whether that was noted.
    pub(super) fn is_owner(&self, leader: Node, module: Module) -> bool {
        self.owner[leader] == super::number(module + 1)
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
