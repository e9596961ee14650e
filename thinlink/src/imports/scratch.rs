//! Notes that one walk takes about nodes.
//!
//! A walk meets a few hundred nodes among millions, again and again. In a small separate table they
//! stay in the first-level cache; in an array of all nodes, each access would go to memory.

use super::decision::Decision;
use super::offers;
use super::work::Work;
use crate::model::ids::{NodeId, OptionalNode};

/// One thread's notes, empty between walks.
pub(super) struct Scratch {
    /// The table, whose length is a power of two. A node is at the position that its hash says, or
    /// behind it.
    table: Vec<TableEntry>,
    /// Positions in the table that are taken.
    taken: Vec<usize>,
    /// Lists that a walk lends while it lasts.
    pub(super) lists: Lists,
    /// Lists of the prediction that precedes the walk.
    pub(super) prediction: offers::Lists,
}

/// Lists that a walk fills, empty before and after it. The fields of the walk say what they hold.
#[derive(Default)]
pub(super) struct Lists {
    pub(super) decisions: Vec<Decision>,
    pub(super) bases: Vec<u32>,
    pub(super) fitting: Vec<usize>,
    pub(super) work: Vec<Work>,
    pub(super) needed: Vec<NodeId>,
    pub(super) order: Vec<u64>,
    pub(super) record: Vec<u8>,
}

/// An entry of the table.
#[derive(Clone, Copy)]
struct TableEntry {
    node: OptionalNode,
    note: Note,
}

/// Position of the notes about a node in the table.
#[derive(Clone, Copy)]
pub(super) struct Entry(usize);

/// Notes about a node: the position of the candidate among the decisions, plus 1, and five bits
/// above it.
#[derive(Clone, Copy)]
pub(super) struct Note(u32);

const NEEDED: u32 = 1 << 31;
/// Bit: the module has its own body for the name that the node leads.
const OWN: u32 = 1 << 30;
const COPIED: u32 = 1 << 29;
/// Bit: calls of the function that the node leads go to the module's own copy.
const LOCAL: u32 = 1 << 28;
/// Bit: the inliner has room for the function in some function of the module.
const HAS_ROOM: u32 = 1 << 27;
const SLOT: u32 = HAS_ROOM - 1;

/// An entry without a node.
const FREE: TableEntry = TableEntry { node: OptionalNode::NONE, note: Note(0) };

impl Note {
    /// Whether the module has its own body for the name that the node leads.
    pub(super) fn is_own(self) -> bool {
        self.0 & OWN != 0
    }

    /// Whether the module needs the node.
    pub(super) fn is_needed(self) -> bool {
        self.0 & NEEDED != 0
    }

    /// Whether the module gets a copy of the needed variable.
    pub(super) fn is_copied(self) -> bool {
        self.0 & COPIED != 0
    }

    /// Whether calls of the function go to the module's own copy.
    pub(super) fn is_local(self) -> bool {
        self.0 & LOCAL != 0
    }

    /// Whether some function of the module is predicted to have room for it.
    pub(super) fn has_room(self) -> bool {
        self.0 & HAS_ROOM != 0
    }

    /// Returns the position that the candidate was given.
    pub(super) fn slot(self) -> Option<usize> {
        (self.0 & SLOT).checked_sub(1).map(|slot| slot as usize)
    }
}

impl Scratch {
    pub(super) fn new() -> Self {
        Self {
            table: vec![FREE; 1 << 10],
            taken: Vec::new(),
            lists: Lists::default(),
            prediction: offers::Lists::default(),
        }
    }

    /// Returns the position of the notes about `node`, which holds until another node is looked up.
    #[inline]
    pub(super) fn entry(&mut self, node: NodeId) -> Entry {
        self.look_up(node).0
    }

    /// Returns the position of the notes about `node`, which holds until another node is looked up,
    /// and the notes.
    #[inline]
    pub(super) fn look_up(&mut self, node: NodeId) -> (Entry, Note) {
        let place = self.position_of(node);
        let found = self.table[place];
        if found.node == node.into() {
            (Entry(place), found.note)
        } else {
            (self.take(place, node), FREE.note)
        }
    }

    /// Takes a free entry.
    #[inline(never)]
    fn take(&mut self, mut place: usize, node: NodeId) -> Entry {
        if self.taken.len() * 2 >= self.table.len() {
            self.grow();
            place = self.position_of(node);
        }
        self.table[place].node = node.into();
        self.taken.push(place);
        Entry(place)
    }

    /// Notes that the module has its own body for the name that the node leads.
    pub(super) fn set_own(&mut self, entry: Entry) {
        self.add(entry, OWN);
    }

    /// Notes that calls of the functions that these nodes lead go to the module's own copies.
    pub(super) fn set_local(&mut self, leaders: &[NodeId]) {
        for &leader in leaders {
            let entry = self.entry(leader);
            self.add(entry, LOCAL);
        }
    }

    /// Notes that some function of the module is predicted to have room for the function.
    pub(super) fn set_has_room(&mut self, entry: Entry) {
        self.add(entry, HAS_ROOM);
    }

    /// Gives a position to the candidate, which has none.
    pub(super) fn set_slot(&mut self, entry: Entry, slot: usize) {
        // A module has fewer candidates than the bits can count.
        self.add(entry, u32::try_from(slot + 1).unwrap_or(SLOT));
    }

    /// Notes that the node is needed, and whether by a copy.
    pub(super) fn need(&mut self, entry: Entry, is_copied: bool) -> Note {
        self.add(entry, if is_copied { NEEDED | COPIED } else { NEEDED })
    }

    pub(super) fn clear(&mut self) {
        for place in self.taken.drain(..) {
            self.table[place] = FREE;
        }
    }

    fn add(&mut self, Entry(place): Entry, bits: u32) -> Note {
        let note = &mut self.table[place].note;
        note.0 |= bits;
        *note
    }

    /// Returns the position at which `node` is, or would be.
    #[inline]
    fn position_of(&self, node: NodeId) -> usize {
        let last = self.table.len() - 1;
        // Fibonacci hashing: neighbors lie far apart.
        let mut place = (node.number().wrapping_mul(0x9E37_79B9) >> 7) as usize & last;
        loop {
            let found = self.table[place].node;
            if found == node.into() || found == OptionalNode::NONE {
                return place;
            }
            place = (place + 1) & last;
        }
    }

    fn grow(&mut self) {
        let noted: Vec<TableEntry> = self.taken.drain(..).map(|place| self.table[place]).collect();
        self.table = vec![FREE; self.table.len() * 2];
        for noted in noted {
            let Some(node) = noted.node.get() else { continue };
            let place = self.position_of(node);
            self.table[place] = noted;
            self.taken.push(place);
        }
    }
}

/// Returns the list without its items.
pub(super) fn cleared<T>(mut list: Vec<T>) -> Vec<T> {
    list.clear();
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_many_nodes_stay_apart_and_go() {
        let mut scratch = Scratch::new();
        for round in 0..2 {
            let nodes = || (0..5000).map(|number| NodeId::new(number * 4096 + round));
            for (slot, node) in nodes().enumerate() {
                let (entry, note) = scratch.look_up(node);
                assert!(!note.is_needed());
                scratch.need(entry, slot % 7 == 0);
                if slot % 3 == 0 {
                    scratch.set_slot(entry, slot);
                }
                if slot % 5 == 0 {
                    scratch.set_own(entry);
                }
            }
            for (slot, node) in nodes().enumerate() {
                let (_, note) = scratch.look_up(node);
                assert_eq!(note.slot(), (slot % 3 == 0).then_some(slot));
                assert_eq!(note.is_own(), slot % 5 == 0);
                assert!(note.is_needed());
                assert_eq!(note.is_copied(), slot % 7 == 0);
            }
            let (_, unknown) = scratch.look_up(NodeId::new(u32::MAX - 1));
            assert_eq!(unknown.slot(), None);
            scratch.clear();
            for node in nodes() {
                assert_eq!(scratch.look_up(node).1.0, 0);
            }
            scratch.clear();
        }
    }
}
