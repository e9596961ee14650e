//! What one walk notes about nodes.
//!
//! A walk meets some hundreds of nodes of millions, again and again. In a table of their own they stay in
//! the cache nearest to the processor; in an array of all nodes, each would have to come from memory.

use super::decision::Decision;
use super::walk::Work;
use crate::index::Node;

/// One thread's notes, empty between walks.
pub(super) struct Scratch {
    /// A power of two of places. A node is at the place that its hash says, or behind it.
    table: Vec<Note>,
    /// Places that are taken.
    taken: Vec<u32>,
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

/// What is noted about a node.
#[derive(Clone, Copy)]
struct Note {
    node: u32,
    /// Position of the candidate among the decisions, plus 1; above it three bits.
    bits: u32,
}

const NEEDED: u32 = 1 << 31;
/// The module has a body of its own for what the node leads.
const OWN: u32 = 1 << 30;
const COPIED: u32 = 1 << 29;
const SLOT: u32 = COPIED - 1;

/// No node's number.
const FREE: Note = Note { node: u32::MAX, bits: 0 };

impl Scratch {
    pub(super) fn new() -> Self {
        Self { table: vec![FREE; 1 << 10], taken: Vec::new(), lists: Lists::default() }
    }

    /// Notes that the module has a body of its own for what `leader` leads.
    pub(super) fn set_own(&mut self, leader: Node) {
        self.note(leader, OWN);
    }

    /// Whether that was noted.
    pub(super) fn is_own(&self, leader: Node) -> bool {
        self.bits(leader) & OWN != 0
    }

    /// The position that the candidate at `node` was given.
    pub(super) fn slot(&self, node: Node) -> Option<usize> {
        (self.bits(node) & SLOT).checked_sub(1).map(|slot| slot as usize)
    }

    /// Gives the candidate at `node`, which has none, a position.
    pub(super) fn set_slot(&mut self, node: Node, slot: usize) {
        self.note(node, super::number(slot + 1));
    }

    /// Notes that `node` is needed, and whether by a copy.
    pub(super) fn need(&mut self, node: Node, is_copied: bool) {
        self.note(node, if is_copied { NEEDED | COPIED } else { NEEDED });
    }

    /// Whether that was noted.
    pub(super) fn is_needed(&self, node: Node) -> bool {
        self.bits(node) & NEEDED != 0
    }

    /// Whether it is needed by a copy.
    pub(super) fn is_copied(&self, node: Node) -> bool {
        self.bits(node) & COPIED != 0
    }

    pub(super) fn clear(&mut self) {
        for place in self.taken.drain(..) {
            self.table[place as usize] = FREE;
        }
    }

    fn bits(&self, node: Node) -> u32 {
        self.table[self.place(super::number(node))].bits
    }

    /// Adds `bits` to what is noted about `node`.
    fn note(&mut self, node: Node, bits: u32) {
        let key = super::number(node);
        let place = self.place(key);
        let found = &mut self.table[place];
        found.bits |= bits;
        if found.node == FREE.node {
            found.node = key;
            self.taken.push(super::number(place));
            if self.taken.len() * 2 > self.table.len() {
                self.grow();
            }
        }
    }

    /// Where `node` is, or would be.
    fn place(&self, node: u32) -> usize {
        let last = self.table.len() - 1;
        // Fibonacci hashing: neighbours lie far apart.
        let mut place = (node.wrapping_mul(0x9E37_79B9) >> 7) as usize & last;
        loop {
            let found = self.table[place].node;
            if found == node || found == FREE.node {
                return place;
            }
            place = (place + 1) & last;
        }
    }

    fn grow(&mut self) {
        let notes: Vec<Note> =
            self.taken.drain(..).map(|place| self.table[place as usize]).collect();
        self.table = vec![FREE; self.table.len() * 2];
        for note in notes {
            let place = self.place(note.node);
            self.table[place] = note;
            self.taken.push(super::number(place));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_many_nodes_stay_apart_and_go() {
        let mut scratch = Scratch::new();
        for round in 0..2 {
            let nodes = || (0..5000).map(|number| number * 4096 + round);
            for (slot, node) in nodes().enumerate() {
                assert!(!scratch.is_needed(node));
                scratch.need(node, slot % 7 == 0);
                if slot % 3 == 0 {
                    scratch.set_slot(node, slot);
                }
                if slot % 5 == 0 {
                    scratch.set_own(node);
                }
            }
            for (slot, node) in nodes().enumerate() {
                assert_eq!(scratch.slot(node), (slot % 3 == 0).then_some(slot));
                assert_eq!(scratch.is_own(node), slot % 5 == 0);
                assert!(scratch.is_needed(node));
                assert_eq!(scratch.is_copied(node), slot % 7 == 0);
            }
            assert_eq!(scratch.slot(usize::MAX >> 33), None);
            scratch.clear();
            assert!(nodes().all(|node| scratch.slot(node).is_none() && !scratch.is_own(node)));
        }
    }
}
