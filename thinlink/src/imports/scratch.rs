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
    table: Vec<Place>,
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

/// A place of the table.
#[derive(Clone, Copy)]
struct Place {
    node: u32,
    note: Note,
}

/// What is noted about a node: the position of the candidate among the decisions, plus 1; above it three
/// bits.
#[derive(Clone, Copy)]
pub(super) struct Note(u32);

const NEEDED: u32 = 1 << 31;
/// The module has a body of its own for what the node leads.
const OWN: u32 = 1 << 30;
const COPIED: u32 = 1 << 29;
const SLOT: u32 = COPIED - 1;

/// No node's number.
const FREE: Place = Place { node: u32::MAX, note: Note(0) };

impl Note {
    /// Whether the module has a body of its own for what the node leads.
    pub(super) fn is_own(self) -> bool {
        self.0 & OWN != 0
    }

    /// Whether the module needs it.
    pub(super) fn is_needed(self) -> bool {
        self.0 & NEEDED != 0
    }

    /// Whether it needs it by a copy.
    pub(super) fn is_copied(self) -> bool {
        self.0 & COPIED != 0
    }

    /// The position that the candidate was given.
    pub(super) fn slot(self) -> Option<usize> {
        (self.0 & SLOT).checked_sub(1).map(|slot| slot as usize)
    }
}

impl Scratch {
    pub(super) fn new() -> Self {
        Self { table: vec![FREE; 1 << 10], taken: Vec::new(), lists: Lists::default() }
    }

    /// What is noted about `node` so far.
    pub(super) fn note(&self, node: Node) -> Note {
        self.table[self.place(super::number(node))].note
    }

    /// Notes that the module has a body of its own for what `leader` leads.
    pub(super) fn set_own(&mut self, leader: Node) {
        self.add(leader, OWN);
    }

    /// Gives the candidate at `node`, which has none, a position.
    pub(super) fn set_slot(&mut self, node: Node, slot: usize) {
        self.add(node, super::number(slot + 1));
    }

    /// Notes that `node` is needed, and whether by a copy.
    pub(super) fn need(&mut self, node: Node, is_copied: bool) -> Note {
        self.add(node, if is_copied { NEEDED | COPIED } else { NEEDED })
    }

    pub(super) fn clear(&mut self) {
        for place in self.taken.drain(..) {
            self.table[place as usize] = FREE;
        }
    }

    /// Adds `bits` to what is noted about `node`.
    fn add(&mut self, node: Node, bits: u32) -> Note {
        let key = super::number(node);
        let place = self.place(key);
        let entry = &mut self.table[place];
        entry.note.0 |= bits;
        let noted = entry.note;
        if entry.node == FREE.node {
            entry.node = key;
            self.taken.push(super::number(place));
            if self.taken.len() * 2 > self.table.len() {
                self.grow();
            }
        }
        noted
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
        let noted: Vec<Place> =
            self.taken.drain(..).map(|place| self.table[place as usize]).collect();
        self.table = vec![FREE; self.table.len() * 2];
        for noted in noted {
            let place = self.place(noted.node);
            self.table[place] = noted;
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
                assert!(!scratch.note(node).is_needed());
                scratch.need(node, slot % 7 == 0);
                if slot % 3 == 0 {
                    scratch.set_slot(node, slot);
                }
                if slot % 5 == 0 {
                    scratch.set_own(node);
                }
            }
            for (slot, node) in nodes().enumerate() {
                let note = scratch.note(node);
                assert_eq!(note.slot(), (slot % 3 == 0).then_some(slot));
                assert_eq!(note.is_own(), slot % 5 == 0);
                assert!(note.is_needed());
                assert_eq!(note.is_copied(), slot % 7 == 0);
            }
            assert_eq!(scratch.note(usize::MAX >> 33).slot(), None);
            scratch.clear();
            assert!(nodes().all(|node| scratch.note(node).0 == 0));
        }
    }
}
