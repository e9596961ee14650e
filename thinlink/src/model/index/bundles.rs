//! Bundles: consecutive modules that one job compiles as one, under the id of the first.
//!
//! A single module is a bundle of one, and all steps from closing on ask only in which module a
//! node is compiled.

use crate::model::ids::{Id as _, ModuleIndex, ModuleRange, PerModule, number_of};

/// The bundle of each module.
pub(super) struct Bundles {
    /// For each module, the first member of its bundle.
    firsts: PerModule<ModuleIndex>,
    /// For each first member, the module after the last one of its bundle; for others, themselves.
    ends: PerModule<ModuleIndex>,
}

impl Bundles {
    /// Lets each of `count` modules be alone.
    pub(super) fn alone(count: usize) -> Self {
        let modules = || (0..number_of(count)).map(ModuleIndex::new);
        Self { firsts: modules().collect(), ends: modules().map(after).collect() }
    }

    /// Bundles `count` modules, of which `firsts` are the first members, in order. The first module
    /// begins a bundle in any case.
    pub(super) fn of(count: usize, firsts: &[ModuleIndex]) -> Self {
        let mut bundles = Self::alone(count);
        let mut first = ModuleIndex::new(0);
        for module in (0..number_of(count)).map(ModuleIndex::new) {
            if firsts.binary_search(&module).is_ok() {
                first = module;
            }
            bundles.firsts[module] = first;
            bundles.ends[module] = module;
            bundles.ends[first] = after(module);
        }
        bundles
    }

    /// Returns the first member of the bundle that `module` is in.
    #[inline]
    pub(super) fn first(&self, module: ModuleIndex) -> ModuleIndex {
        self.firsts[module]
    }

    /// Returns the module after the last one that is compiled in `module`; `module` itself if it is
    /// compiled in another one.
    #[inline]
    pub(super) fn end(&self, module: ModuleIndex) -> ModuleIndex {
        self.ends[module]
    }

    /// Whether more modules than one are compiled in `module`.
    pub(super) fn is_several(&self, module: ModuleIndex) -> bool {
        after(module) < self.end(module)
    }

    /// Returns the modules that are compiled in `module`.
    pub(super) fn members(&self, module: ModuleIndex) -> ModuleRange {
        ModuleRange::new(number_of(module.index()), number_of(self.end(module).index()))
    }
}

fn after(module: ModuleIndex) -> ModuleIndex {
    ModuleIndex::new(number_of(module.index()) + 1)
}
