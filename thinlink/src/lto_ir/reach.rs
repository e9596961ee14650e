//! The symbols that a job reaches.

use crate::model::ids::{ModuleIndex, NodeId, PerNode};

use super::program::{Memory, Program};

/// Definitions that a job reaches, each list sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reached {
    /// Functions, which the job compiles.
    pub(super) functions: Vec<NodeId>,
    /// Variables that the code of the job names.
    pub(super) variables: Vec<NodeId>,
    /// Functions and constants that the code of the job needs, and whose units the job does not
    /// read.
    pub(super) foreign: Vec<NodeId>,
    /// Kernels that the code of the job launches.
    pub(super) launched: Vec<NodeId>,
    /// Definitions in bitcode that the code of the job needs.
    pub(super) bitcode: Vec<NodeId>,
    /// Functions whose addresses the code of the job takes, or the initializers that it holds.
    pub(super) named: Vec<NodeId>,
}

/// Memory for following edges, which serves one job after another.
pub(super) struct Explorer {
    /// For each node, the last walk that has met it.
    met: PerNode<u32>,
    walk: u32,
}

impl Explorer {
    pub(super) fn new(nodes: usize) -> Self {
        Self { met: PerNode::filled(0, nodes), walk: 0 }
    }

    /// Follows all edges from `roots` of `module`: kernels and functions with their bodies,
    /// variables with their initializers.
    pub(super) fn explore(
        &mut self,
        program: &Program<'_, '_>,
        module: ModuleIndex,
        roots: &[NodeId],
    ) -> Reached {
        self.walk += 1;
        let mut walk =
            Walk { explorer: self, program, module, queue: Vec::new(), found: Reached::default() };
        for &root in roots {
            walk.meet(root);
            // A kernel or a variable is not followed if it is only referred to.
            let is_met_only = program.is_kernel(root)
                || program.memory(root).is_some_and(|memory| memory != Memory::SmallConstant);
            if is_met_only {
                walk.queue.push(root);
            }
        }
        while let Some(node) = walk.queue.pop() {
            walk.follow(node);
        }
        let mut found = walk.found;
        let Reached { functions, variables, foreign, launched, bitcode, named } = &mut found;
        for list in [functions, variables, foreign, launched, bitcode, named] {
            list.sort_unstable();
            list.dedup();
        }
        found
    }
}

struct Walk<'e, 'a, 'units> {
    explorer: &'e mut Explorer,
    program: &'e Program<'a, 'units>,
    module: ModuleIndex,
    /// Definitions whose edges are still to be followed.
    queue: Vec<NodeId>,
    found: Reached,
}

impl Walk<'_, '_, '_> {
    /// Notes that the job names `node`.
    fn meet(&mut self, node: NodeId) {
        let (program, index) = (self.program, self.program.index);
        let Some(provider) = index.provider(node) else { return };
        if std::mem::replace(&mut self.explorer.met[provider], self.explorer.walk)
            == self.explorer.walk
        {
            return;
        }
        if !program.is_lto_ir(provider) {
            self.found.bitcode.push(provider);
            self.follow_own_copy(provider);
            return;
        }
        match program.memory(provider) {
            Some(memory) => {
                self.found.variables.push(provider);
                let is_constant = matches!(memory, Memory::SmallConstant | Memory::LargeConstant);
                if is_constant && program.is_foreign(self.module, provider) {
                    self.found.foreign.push(provider);
                } else if memory == Memory::SmallConstant {
                    self.queue.push(program.readable(self.module, provider));
                }
            }
            None if program.is_kernel(provider) => self.found.launched.push(provider),
            None if program.is_foreign(self.module, provider) => {
                self.found.foreign.push(provider);
                self.follow_own_copy(provider);
            }
            None => {
                self.found.functions.push(provider);
                self.queue.push(program.readable(self.module, provider));
            }
        }
    }

    /// Follows the job's own definition of a symbol that another module provides. nvlink inlines it
    /// if it is an inline function.
    fn follow_own_copy(&mut self, provider: NodeId) {
        let index = self.program.index;
        let copies = index.definitions(provider).iter().copied();
        let own = copies.filter(|&copy| copy != provider && index.module(copy) == self.module);
        self.queue.extend(own.filter(|&copy| !self.program.is_kernel(copy)));
    }

    fn follow(&mut self, node: NodeId) {
        let index = self.program.index;
        if let Some(function) = index.function(node) {
            for call in function.calls() {
                self.meet(call.callee());
            }
        }
        let mut named = Vec::new();
        index.for_each_reference(node, |target| named.push(target));
        for target in named {
            if let Some(provider) = self.program.provider(target)
                && index.is_function(provider)
                && !self.program.is_kernel(provider)
            {
                self.found.named.push(provider);
            }
            self.meet(target);
        }
    }
}
