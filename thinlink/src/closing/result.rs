//! The copies of all modules, and the definitions that their own modules keep.

use super::closure::KernelClosure;
use crate::model::ids::{ModuleIndex, NodeId, PerModule, PerNode};

/// The copies of all modules, and the definitions that their own modules keep.
pub(crate) struct Closing {
    /// For each module, the sorted leaders of the functions that are copied to it.
    pub(super) copies: PerModule<Box<[NodeId]>>,
    /// For each node, whether its module keeps the definition, to be emitted or inlined.
    pub(super) stays: PerNode<bool>,
    /// For each node, whether any module may import it.
    pub(super) exposed: PerNode<bool>,
    /// For each module, sorted, other functions that it may import.
    pub(super) guests: PerModule<Box<[NodeId]>>,
    /// For each module, its live kernels in order, with the outcome of closing them.
    pub(super) kernels: PerModule<Vec<KernelClosure>>,
}

impl Closing {
    /// Whether calls in `module` of the function that `leader` leads go to the module's own copy.
    #[inline]
    pub(crate) fn is_copied(&self, module: ModuleIndex, leader: NodeId) -> bool {
        self.copies[module].binary_search(&leader).is_ok()
    }

    /// Whether `module` may import the body of `function`, as everything that it names is visible
    /// there.
    pub(crate) fn may_import(&self, module: ModuleIndex, function: NodeId) -> bool {
        self.exposed[function] || self.guests[module].binary_search(&function).is_ok()
    }

    /// Returns the leaders of the functions that are copied to `module`, sorted.
    pub(crate) fn copies(&self, module: ModuleIndex) -> &[NodeId] {
        &self.copies[module]
    }

    /// Whether the module of the live definition at `node` keeps it. Otherwise only copies of the
    /// definition are used.
    #[inline]
    pub(crate) fn stays(&self, node: NodeId) -> bool {
        self.stays[node]
    }

    /// States the outcome for the kernels of `module`, which is closed in another way.
    pub(crate) fn set_kernels(&mut self, module: ModuleIndex, kernels: Vec<KernelClosure>) {
        self.kernels[module] = kernels;
    }

    /// Whether the same functions are copied, kept and visible.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        self.copies == other.copies
            && self.stays == other.stays
            && self.exposed == other.exposed
            && self.guests == other.guests
    }

    /// Returns the live kernels of `module`, in order. Empty where nothing is closed at all.
    pub(crate) fn kernels(&self, module: ModuleIndex) -> &[KernelClosure] {
        &self.kernels[module]
    }
}
