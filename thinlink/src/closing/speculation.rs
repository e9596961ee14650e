//! Functions of other modules that the indirect calls of one module may lead to.
//!
//! Where a body calls through pointers, the possible targets are functions that it names, and
//! functions in constant tables that the module names. Such a *guest* is imported for inlining
//! alone, and its callees would have to be visible in other modules. To avoid that, the importer
//! gets copies of the callees, too, as far as the limit of a closure allows. A guest that does not
//! fit is not imported.

use super::bodies::{Bodies, Bounds};
use super::program_view::{Body, ProgramView, own_copy};
use crate::model::ids::{ModuleIndex, NodeId};

/// A module whose indirect calls are followed.
pub(super) struct Speculation<'a, 'units> {
    pub(super) program: &'a ProgramView<'a, 'units>,
    pub(super) bounds: &'a Bounds<'a>,
    pub(super) module: ModuleIndex,
}

impl Speculation<'_, '_> {
    /// Returns the module's guests, in the order in which they were met. They and their callees
    /// join `bodies`, and the leaders of the functions to be copied for them join `copies`.
    pub(super) fn follow(&self, bodies: &mut Bodies, copies: &mut Vec<NodeId>) -> Vec<NodeId> {
        let program = self.program;
        let mut guests = Vec::new();
        if !bodies.iter().any(|node| program.calls_indirectly(node)) {
            return guests;
        }
        let mut room = self.bounds.limit;
        let mut next = 0;
        while let Some(body) = bodies.get(next) {
            next += 1;
            for function in self.named_functions(body) {
                let size = program.size(function);
                if self.may_be_guest(function) && size <= room && bodies.meet(function) {
                    room -= size;
                    guests.push(function);
                }
            }
            if program.index.module(body) == self.module {
                continue;
            }
            // Callees of the module's own bodies and of the copies were met before.
            program.for_each_call(body, |callee| {
                let Body::Copyable(copy) = program.body(self.module, callee) else { return };
                let (leader, size) = (program.index.leader(copy), program.size(copy));
                if !self.bounds.shared[leader] && size <= room && bodies.meet(copy) {
                    room -= size;
                    copies.push(leader);
                }
            });
        }
        guests
    }

    /// Functions that indirect calls in the module may lead to because `body` names them, or a
    /// table of them.
    fn named_functions(&self, body: NodeId) -> Vec<NodeId> {
        let program = self.program;
        let mut named = Vec::new();
        program.for_each_reference(body, |target| {
            let Some(provider) = program.index.provider(target) else { return };
            if program.candidates.lists_functions(provider) {
                program.index.for_each_reference(provider, |listed| {
                    named.extend(program.index.provider(listed));
                });
            } else if program.calls_indirectly(body) {
                named.push(provider);
            }
        });
        named
    }

    fn may_be_guest(&self, function: NodeId) -> bool {
        let (index, module) = (self.program.index, self.module);
        self.program.candidates.is_code(function)
            && index.module(function) != module
            && own_copy(index, module, function).is_none()
    }
}
