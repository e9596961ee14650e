//! Which functions are copied where, and which definitions their own modules keep.

use super::closure::KernelClosure;
use crate::model::index::{Module, Node, position};

/// What is copied where, and which definitions their own modules keep.
pub(crate) struct Closing {
    /// For each module, the sorted leaders of the functions that it has as copies of its own.
    pub(super) copies: Vec<Box<[u32]>>,
    /// For each node, whether its module keeps the definition, to be emitted or inlined.
    pub(super) stays: Vec<bool>,
    /// For each node, whether any module may import it.
    pub(super) exposed: Vec<bool>,
    /// For each module, sorted, other functions that it may import.
    pub(super) guests: Vec<Box<[u32]>>,
    /// For each module, its live kernels in order, with what closing them came to.
    pub(super) kernels: Vec<Vec<KernelClosure>>,
}

impl Closing {
    /// Whether calls in `module` of the function that `leader` leads go to a copy of the module's own.
    #[inline]
    pub(crate) fn is_copied(&self, module: Module, leader: Node) -> bool {
        self.copies[module].binary_search(&position(leader)).is_ok()
    }

    /// Whether `module` may import the body of `function`, as all that it names is visible there.
    pub(crate) fn may_import(&self, module: Module, function: Node) -> bool {
        self.exposed[function] || self.guests[module].binary_search(&position(function)).is_ok()
    }

    /// The leaders of the functions of which `module` has copies of its own, sorted.
    pub(crate) fn copies(&self, module: Module) -> &[u32] {
        &self.copies[module]
    }

    /// Whether the module of the live definition at `node` keeps it. Otherwise only copies of it are used.
    #[inline]
    pub(crate) fn stays(&self, node: Node) -> bool {
        self.stays[node]
    }

    /// The live kernels of `module`, in order. Empty where nothing is closed at all.
    pub(crate) fn kernels(&self, module: Module) -> &[KernelClosure] {
        &self.kernels[module]
    }
}
