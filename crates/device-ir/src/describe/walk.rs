//! Everything about one module that the facts of its symbols are made from.

use super::bodies::Bodies;
use super::names::Names;
use super::priority::PriorityOverride;
use crate::module::Module;

/// A module with the tables that the walk over its symbols needs.
pub(super) struct Walk<'m> {
    pub(super) module: &'m Module<'m>,
    pub(super) bodies: &'m Bodies,
    pub(super) names: Names<'m>,
    pub(super) priority_override: PriorityOverride,
}

impl<'m> Walk<'m> {
    pub(super) fn over(
        module: &'m Module<'m>,
        bodies: &'m Bodies,
        priority_override: PriorityOverride,
    ) -> Self {
        let names = Names::of(module, &bodies.assembly);
        Self { module, bodies, names, priority_override }
    }
}
