//! The definitions with which a job starts.

use crate::model::ids::{ModuleIndex, NodeId, PerNode};

use super::program::{Memory, Program};

/// Definitions that one module emits for the whole program, as far as jobs do not emit them anyway.
pub(super) struct Emitted {
    /// For each node, whether it is such a function, or a large constant that several jobs use.
    pub(super) by_definer: PerNode<bool>,
}

impl Emitted {
    /// Starts with the functions that code outside of all jobs may use.
    pub(super) fn new(program: &Program<'_, '_>) -> Self {
        let mut by_definer = PerNode::filled(false, program.index.len());
        for node in program.modules().flat_map(|module| program.providers(module)) {
            by_definer[node] = program.is_used_outside(node)
                && program.index.is_function(node)
                && !program.is_kernel(node);
        }
        Self { by_definer }
    }

    /// Returns the definitions that `module` emits because other jobs need them.
    pub(super) fn functions(&self, program: &Program<'_, '_>, module: ModuleIndex) -> Vec<NodeId> {
        let own = program.providers(module);
        own.filter(|&node| self.by_definer[node] && program.index.is_function(node)).collect()
    }

    /// Returns the definitions that the job of `module` has to hold: its kernels, the variables of
    /// the module that something writes, and what it emits for others.
    pub(super) fn roots(&self, program: &Program<'_, '_>, module: ModuleIndex) -> Vec<NodeId> {
        let is_root = |&node: &NodeId| {
            self.by_definer[node]
                || program.is_kernel(node)
                || program.memory(node) == Some(Memory::Written)
        };
        program.providers(module).filter(is_root).collect()
    }
}
