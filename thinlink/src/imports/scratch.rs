//! One thread's facts about nodes, cleared between modules at the cost of what was marked.

use super::decision::Decision;
use super::walk::Work;
use crate::index::{Module, Node};

/// Facts about nodes, all absent at first.
pub(super) struct Scratch {
    marks: Vec<Mark>,
    marked: Vec<u32>,
    /// Lists that a walk lends while it lasts.
    pub(super) lists: Lists,
}

/// What a walk fills, empty before and after. See its fields.
#[derive(Default)]
pub(super) struct Lists {
    pub(super) decisions: Vec<Decision>,
    pub(super) bases: Vec<u32>,
    pub(super) fitting: Vec<usize>,
    pub(super) work: Vec<Work>,
    pub(super) needed: Vec<u32>,
}

/// The facts about one node. They are asked for together.
#[derive(Clone, Copy, Default)]
struct Mark {
    /// Position of the candidate among the decisions, plus 1; the high bit says that it is needed.
    slot: u32,
    /// Of a leader: the last module, plus 1, that has a body of its own for the name. Never cleared.
    owner: u32,
}

const NEEDED: u32 = 1 << 31;

impl Scratch {
    pub(super) fn new(nodes: usize) -> Self {
        Self { marks: vec![Mark::default(); nodes], marked: Vec::new(), lists: Lists::default() }
    }

    /// Notes that `module` has a body of its own for what `leader` leads.
    pub(super) fn set_owner(&mut self, leader: Node, module: Module) {
        self.marks[leader].owner = super::number(module + 1);
    }

    /// Whether that was noted.
    pub(super) fn is_owner(&self, leader: Node, module: Module) -> bool {
        self.marks[leader].owner == super::number(module + 1)
    }

    /// The position that the candidate at `node` was given.
    pub(super) fn slot(&self, node: Node) -> Option<usize> {
        (self.marks[node].slot & !NEEDED).checked_sub(1).map(|slot| slot as usize)
    }

    pub(super) fn set_slot(&mut self, node: Node, slot: usize) {
        self.mark(node, super::number(slot + 1));
    }

    /// Marks `node` as needed. Says whether it was not before.
    pub(super) fn need(&mut self, node: Node) -> bool {
        let is_new = self.marks[node].slot & NEEDED == 0;
        if is_new {
            self.mark(node, NEEDED);
        }
        is_new
    }

    fn mark(&mut self, node: Node, bits: u32) {
        let slot = &mut self.marks[node].slot;
        if *slot == 0 {
            self.marked.push(super::number(node));
        }
        *slot |= bits;
    }

    pub(super) fn clear(&mut self) {
        for node in self.marked.drain(..) {
            self.marks[node as usize].slot = 0;
        }
    }
}
