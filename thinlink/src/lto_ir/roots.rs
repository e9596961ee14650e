//! The definitions with which a job starts.

use std::collections::BTreeMap;

use crate::model::ids::{ModuleIndex, NodeId, PerNode};

use super::program::{Memory, Program};

/// Definitions that one module emits for the whole program, as far as jobs do not emit them anyway.
pub(super) struct Emitted {
    /// For each node, whether it is such a function, or a constant that several jobs use.
    is_emitted: PerNode<bool>,
    /// For definitions emitted by another job than their module's, the module of that job.
    elsewhere: BTreeMap<NodeId, ModuleIndex>,
}

impl Emitted {
    /// Starts with the functions that code outside of all jobs may use.
    pub(super) fn new(program: &Program<'_, '_>) -> Self {
        let mut is_emitted = PerNode::filled(false, program.index.len());
        for node in program.modules().flat_map(|module| program.providers(module)) {
            is_emitted[node] = program.is_used_outside(node)
                && program.index.is_function(node)
                && !program.is_kernel(node);
        }
        Self { is_emitted, elsewhere: BTreeMap::new() }
    }

    /// Has the module `emitter` emit `node`. Returns whether no module did.
    pub(super) fn add(
        &mut self,
        program: &Program<'_, '_>,
        node: NodeId,
        emitter: ModuleIndex,
    ) -> bool {
        let is_new = !std::mem::replace(&mut self.is_emitted[node], true);
        if is_new && emitter != program.index.module(node) {
            self.elsewhere.insert(node, emitter);
        }
        is_new
    }

    /// Returns the module whose job emits `node` for the program, if one does.
    pub(super) fn emitter(&self, program: &Program<'_, '_>, node: NodeId) -> Option<ModuleIndex> {
        let of_definer = || program.index.module(node);
        self.is_emitted[node].then(|| self.elsewhere.get(&node).copied().unwrap_or_else(of_definer))
    }

    /// Returns the definitions that `module` emits because other jobs need them.
    pub(super) fn functions(&self, program: &Program<'_, '_>, module: ModuleIndex) -> Vec<NodeId> {
        self.by(program, module).filter(|&node| program.index.is_function(node)).collect()
    }

    /// Returns the definitions that `module` emits for the program.
    fn by(&self, program: &Program<'_, '_>, module: ModuleIndex) -> impl Iterator<Item = NodeId> {
        let own = program.providers(module);
        let own = own.filter(move |&node| self.emitter(program, node) == Some(module));
        let elsewhere = self.elsewhere.iter().filter(move |(_, emitter)| **emitter == module);
        own.chain(elsewhere.map(|(&node, _)| node))
    }

    /// Returns the definitions that the job of `module` has to hold: its kernels, the variables of
    /// the module that something writes, and what it emits for others.
    pub(super) fn roots(&self, program: &Program<'_, '_>, module: ModuleIndex) -> Vec<NodeId> {
        let is_root = |&node: &NodeId| {
            program.is_kernel(node) || program.memory(node) == Some(Memory::Written)
        };
        let own = program.providers(module).filter(is_root);
        own.chain(self.by(program, module)).collect()
    }
}
