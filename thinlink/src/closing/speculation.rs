//! Functions of other modules that the indirect calls of one module may lead to.
//!
//! Where a body calls through pointers, importing tries functions that it names, and those that constant
//! tables list which the module names, as what may be called. Such a *guest* serves inlining alone, and
//! what it calls would have to be visible in other modules. So that it need not, the importer gets copies
//! of that, too, as far as the limit of a closure lets it. A guest that does not fit is not imported.

use super::bodies::{Bodies, Bounds};
use super::world::{Body, World, own_copy};
use crate::model::ids::{ModuleIndex, NodeId};

/// A module whose bodies are looked at.
pub(super) struct Speculation<'a, 'units> {
    pub(super) world: &'a World<'a, 'units>,
    pub(super) bounds: &'a Bounds<'a>,
    pub(super) module: ModuleIndex,
}

impl Speculation<'_, '_> {
    /// The module's guests, in the order in which they were met. They and what they call join `bodies`,
    /// and what is to be copied for them joins `copies`.
    pub(super) fn follow(&self, bodies: &mut Bodies, copies: &mut Vec<NodeId>) -> Vec<NodeId> {
        let world = self.world;
        let mut guests = Vec::new();
        if !bodies.iter().any(|node| world.calls_indirectly(node)) {
            return guests;
        }
        let mut room = self.bounds.limit;
        let mut next = 0;
        while let Some(body) = bodies.get(next) {
            next += 1;
            for function in self.named_functions(body) {
                let size = world.size(function);
                if self.may_be_guest(function) && size <= room && bodies.meet(function) {
                    room -= size;
                    guests.push(function);
                }
            }
            if world.index.module(body) == self.module {
                continue;
            }
            // What the module's own bodies and the copies call was met before.
            world.for_each_call(body, |callee| {
                let Body::Copyable(copy) = world.body(self.module, callee) else { return };
                let (leader, size) = (world.index.leader(copy), world.size(copy));
                if !self.bounds.shared[leader] && size <= room && bodies.meet(copy) {
                    room -= size;
                    copies.push(leader);
                }
            });
        }
        guests
    }

    /// Functions that indirect calls in the module may lead to because `body` names them, or a table of them.
    fn named_functions(&self, body: NodeId) -> Vec<NodeId> {
        let world = self.world;
        let mut named = Vec::new();
        world.for_each_reference(body, |target| {
            let Some(provider) = world.index.provider(target) else { return };
            if world.candidates.lists_functions(provider) {
                world
                    .index
                    .for_each_reference(provider, |it| named.extend(world.index.provider(it)));
            } else if world.calls_indirectly(body) {
                named.push(provider);
            }
        });
        named
    }

    fn may_be_guest(&self, function: NodeId) -> bool {
        let (index, module) = (self.world.index, self.module);
        self.world.candidates.is_code(function)
            && index.module(function) != module
            && own_copy(index, module, function).is_none()
    }
}
