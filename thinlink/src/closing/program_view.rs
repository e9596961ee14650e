//! The program as closing sees it: bodies, calls and references by module.

use crate::analyses::devirtualize::Devirtualized;
use crate::analyses::liveness::Liveness;
use crate::candidates::Candidates;
use crate::model::ids::{ModuleIndex, NodeId};
use crate::model::index::Index;
use crate::model::program::Function;

/// The program, with the facts that closing depends on.
#[derive(Clone, Copy)]
pub(super) struct ProgramView<'a, 'units> {
    pub(super) index: &'a Index<'units>,
    pub(super) liveness: &'a Liveness,
    pub(super) virtual_calls: &'a Devirtualized,
    pub(super) candidates: &'a Candidates,
}

/// The place where a call in some module finds the body of its callee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// In the module itself, which owns the program's definition.
    Own(NodeId),
    /// In the module itself or elsewhere; a copy of it can become the module's own.
    Copyable(NodeId),
    /// In another module, where it has to stay.
    Elsewhere(NodeId),
    /// No module defines it.
    Undefined,
}

impl ProgramView<'_, '_> {
    /// Returns the body that a call of `callee` in `module` may use.
    pub(super) fn body(&self, module: ModuleIndex, callee: NodeId) -> Body {
        let index = self.index;
        let Some(provider) = index.provider(callee) else { return Body::Undefined };
        let nodes = index.nodes(module);
        if nodes.contains(provider) {
            return Body::Own(provider);
        }
        match own_copy(index, module, provider) {
            Some(own) if self.candidates.is_code(own) && index.is_inspected(own) => {
                Body::Copyable(own)
            }
            None if self.candidates.is_code(provider) => Body::Copyable(provider),
            // A module with its own definition cannot get another one of the same name.
            _ => Body::Elsewhere(provider),
        }
    }

    /// Calls `each` with every function that the body at `node` calls directly, or by virtual calls
    /// whose targets are known.
    pub(super) fn for_each_call(&self, node: NodeId, mut each: impl FnMut(NodeId)) {
        let Some(function) = self.index.function(node) else { return };
        for call in function.calls() {
            each(call.callee());
        }
        for target in self.virtual_calls.targets(function) {
            each(target);
        }
    }

    /// Calls `each` with everything that the body at `node` names other than as a callee.
    pub(super) fn for_each_reference(&self, node: NodeId, mut each: impl FnMut(NodeId)) {
        self.index.for_each_reference(node, &mut each);
        if let Some(function) = self.index.function(node) {
            self.virtual_calls.tested(function).for_each(each);
        }
    }

    /// Whether the body at `node` calls through pointers.
    pub(super) fn calls_indirectly(&self, node: NodeId) -> bool {
        self.index.function(node).is_some_and(Function::calls_indirectly)
    }

    /// Whether `function` calls through pointers whose targets are not known.
    pub(super) fn calls_anything(&self, function: Function<'_>) -> bool {
        function.calls_indirectly() && self.virtual_calls.targets(function).next().is_none()
    }

    /// Returns the IR instructions of the function at `node`.
    pub(super) fn size(&self, node: NodeId) -> u32 {
        self.index.function(node).map_or(0, Function::instruction_count)
    }
}

/// Returns the definition in `module` that is used for the name of `leader`, which belongs to
/// another module.
pub(super) fn own_copy(index: &Index<'_>, module: ModuleIndex, leader: NodeId) -> Option<NodeId> {
    let nodes = index.nodes(module);
    let copies = index.copies(leader)?;
    let next = copies.partition_point(|&copy| copy < nodes.start());
    let mut own = copies[next..].iter().copied().take_while(|&copy| nodes.contains(copy));
    let first = own.next()?;
    // A bundle uses one of its definitions, if it may use any.
    let mut all = std::iter::once(first).chain(own);
    Some(all.find(|&copy| index.may_be_used(copy)).unwrap_or(first))
}
