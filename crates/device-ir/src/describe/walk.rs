//! Everything about one module that the facts of its symbols are made from.

use std::collections::BTreeSet;

use weft_artifact::Linkage;

use super::bodies::Bodies;
use super::names::Names;
use super::priority::PriorityOverride;
use crate::handles::{Function, Global, Identity};
use crate::module::Module;

/// A module with the tables that the walk over its symbols needs.
pub(super) struct Walk<'m> {
    pub(super) module: &'m Module<'m>,
    pub(super) bodies: &'m Bodies,
    pub(super) names: Names<'m>,
    pub(super) priority_override: PriorityOverride,
    /// Symbols that any body calls.
    called: BTreeSet<Identity>,
}

impl<'m> Walk<'m> {
    pub(super) fn over(
        module: &'m Module<'m>,
        bodies: &'m Bodies,
        priority_override: PriorityOverride,
    ) -> Self {
        let names = Names::of(module, &bodies.assembly);
        Self { module, bodies, names, priority_override, called: bodies.callees() }
    }

    /// The function that `global` is, if other modules bind to it by a prototype: nvlink ignores
    /// the prototypes of functions that a module neither defines nor calls.
    pub(super) fn linked_by_prototype(&self, global: Global<'m>) -> Option<Function<'m>> {
        let is_emitted =
            !global.is_declaration() && global.linkage() != Linkage::AvailableExternally;
        let is_linked = is_emitted || self.called.contains(&global.identity());
        Function::of(global).filter(|_| is_linked && !global.linkage().is_local())
    }
}
