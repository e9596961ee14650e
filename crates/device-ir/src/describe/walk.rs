//! Everything about one module that the facts of its symbols are made from.

use super::names::Names;
use super::priority::PriorityOverride;
use crate::analyses::Analyses;
use crate::assembly::Assembly;
use crate::module::Module;

/// A module with the tables that the walk over its symbols needs.
pub(super) struct Walk<'m> {
    pub(super) module: &'m Module<'m>,
    pub(super) assembly: Assembly<'m>,
    pub(super) names: Names<'m>,
    pub(super) analyses: Analyses<'m>,
    pub(super) priority_override: PriorityOverride,
}

impl<'m> Walk<'m> {
    pub(super) fn over(
        module: &'m Module<'m>,
        assembly: Assembly<'m>,
        priority_override: PriorityOverride,
    ) -> Self {
        let names = Names::of(module, &assembly);
        Self { module, assembly, names, analyses: Analyses::of(module), priority_override }
    }
}
