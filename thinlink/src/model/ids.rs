//! Identities of symbols and modules, and arrays with an entry for each.
//!
//! Identities are numbers of 32 bits, since the link spends most of its time waiting for arrays of
//! millions of them. They are made in one place, when the code of all modules is joined, which
//! refuses a program with more symbols than [`NodeId`] can tell apart, so no later conversion can
//! fail.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut};

use rayon::prelude::*;

/// Position in an array with an entry for each node or module.
pub(crate) trait Id: Copy {
    /// Returns the position.
    fn index(self) -> usize;
}

/// A symbol of a module, numbered through all modules in the order of module ids, and by name
/// within a module. Numbers are below `u32::MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// Returns the node of that number.
    #[inline]
    pub(crate) const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Returns the number of the node.
    #[inline]
    pub(crate) const fn number(self) -> u32 {
        self.0
    }
}

impl Id for NodeId {
    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node or none, in four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OptionalNode(u32);

impl OptionalNode {
    /// No node.
    pub(crate) const NONE: Self = Self(u32::MAX);

    /// Returns the node, if there is one.
    #[inline]
    pub(crate) fn get(self) -> Option<NodeId> {
        (self != Self::NONE).then_some(NodeId(self.0))
    }
}

impl From<NodeId> for OptionalNode {
    #[inline]
    fn from(node: NodeId) -> Self {
        Self(node.0)
    }
}

/// A module with device code, numbered in the order of module ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ModuleIndex(u32);

impl ModuleIndex {
    /// Returns the module of that number.
    #[inline]
    pub(crate) const fn new(number: u32) -> Self {
        Self(number)
    }
}

impl Id for ModuleIndex {
    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Nodes in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NodeRange {
    start: u32,
    end: u32,
}

impl NodeRange {
    /// Returns the nodes from `start` up to, but without, the one of the number `end`.
    #[inline]
    pub(crate) const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Returns the first node, or the one that follows an empty range.
    #[inline]
    pub(crate) const fn start(&self) -> NodeId {
        NodeId(self.start)
    }

    /// Returns the node that follows the last one.
    #[inline]
    pub(crate) const fn end(&self) -> NodeId {
        NodeId(self.end)
    }

    /// Whether `node` is one of the nodes.
    #[inline]
    pub(crate) fn contains(&self, node: NodeId) -> bool {
        (self.start..self.end).contains(&node.0)
    }

    /// Returns the node that lies `offset` nodes behind the first one.
    #[inline]
    pub(crate) const fn at(&self, offset: u32) -> NodeId {
        NodeId(self.start + offset)
    }

    /// Returns the nodes, in parallel.
    pub(crate) fn into_par(self) -> impl IndexedParallelIterator<Item = NodeId> + Clone {
        (self.start..self.end).into_par_iter().map(NodeId)
    }
}

impl Iterator for NodeRange {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let node = (self.start < self.end).then_some(NodeId(self.start))?;
        self.start += 1;
        Some(node)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let length = (self.end - self.start) as usize;
        (length, Some(length))
    }
}

impl ExactSizeIterator for NodeRange {}

/// Modules in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ModuleRange {
    start: u32,
    end: u32,
}

impl ModuleRange {
    /// Returns the modules from the one of the number `start` up to, but without, `end`.
    pub(crate) const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Returns the modules, in parallel.
    pub(crate) fn into_par(self) -> impl IndexedParallelIterator<Item = ModuleIndex> + Clone {
        (self.start..self.end).into_par_iter().map(ModuleIndex)
    }

    /// Returns the modules in ranges of `size`, and of fewer at the end.
    pub(crate) fn chunks(self, size: u32) -> impl Iterator<Item = Self> {
        let end = self.end;
        (self.start..end)
            .step_by(size as usize)
            .map(move |start| Self { start, end: end.min(start.saturating_add(size)) })
    }
}

impl Iterator for ModuleRange {
    type Item = ModuleIndex;

    fn next(&mut self) -> Option<ModuleIndex> {
        let module = (self.start < self.end).then_some(ModuleIndex(self.start))?;
        self.start += 1;
        Some(module)
    }
}

/// Returns the length of an array with at most one entry for each node. The code of all modules
/// becomes one only if there are fewer nodes than 32 bits can count, so no such length is cut.
pub(crate) fn number_of(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// An array with an entry for each node.
pub(crate) type PerNode<T> = PerId<NodeId, T>;

/// An array with an entry for each module.
pub(crate) type PerModule<T> = PerId<ModuleIndex, T>;

/// An array that is indexed by only one kind of identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PerId<I, T> {
    entries: Vec<T>,
    id: PhantomData<fn(I)>,
}

impl<I, T: Clone> PerId<I, T> {
    /// `length` entries that are `entry`.
    pub(crate) fn filled(entry: T, length: usize) -> Self {
        vec![entry; length].into()
    }
}

impl<I, T> Default for PerId<I, T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<I, T> From<Vec<T>> for PerId<I, T> {
    fn from(entries: Vec<T>) -> Self {
        Self { entries, id: PhantomData }
    }
}

impl<I, T> FromIterator<T> for PerId<I, T> {
    fn from_iter<Entries: IntoIterator<Item = T>>(entries: Entries) -> Self {
        Vec::from_iter(entries).into()
    }
}

impl<I, T: Send> FromParallelIterator<T> for PerId<I, T> {
    fn from_par_iter<Entries: IntoParallelIterator<Item = T>>(entries: Entries) -> Self {
        Vec::from_par_iter(entries).into()
    }
}

impl<I, T> IntoIterator for PerId<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<I, T> Deref for PerId<I, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.entries
    }
}

impl<I, T> DerefMut for PerId<I, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.entries
    }
}

impl<I: Id, T> Index<I> for PerId<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.entries[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for PerId<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.entries[id.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::{ModuleRange, NodeId, NodeRange, OptionalNode, PerNode};

    #[test]
    fn ranges_hold_their_nodes() {
        let range = NodeRange::new(3, 6);
        assert_eq!(range.clone().map(NodeId::number).collect::<Vec<_>>(), [3, 4, 5]);
        assert!(range.contains(NodeId::new(5)) && !range.contains(range.end()));
        assert_eq!((range.at(1), range.len()), (NodeId::new(4), 3));
        let chunks = ModuleRange::new(0, 5).chunks(2);
        assert_eq!(chunks.map(Iterator::count).collect::<Vec<_>>(), [2, 2, 1]);
    }

    #[test]
    fn an_optional_node_takes_no_more_than_a_node() {
        assert_eq!(size_of::<OptionalNode>(), size_of::<NodeId>());
        assert_eq!(OptionalNode::NONE.get(), None);
        assert_eq!(OptionalNode::from(NodeId::new(7)).get(), Some(NodeId::new(7)));
        assert_eq!(PerNode::filled(0_u8, 8)[NodeId::new(7)], 0);
    }
}
