//! Bundles: modules in a row that one job compiles as one, under the id of the first.
//!
//! A module that is alone is a bundle of one, and all steps from closing on ask only which module a
//! node is compiled in. A bundle needs one definition of each name: the prevailing one if a member
//! has it, or else the first that may be used. Its other definitions play no part any more.
//!
//! Cost: one pass over the definitions of names that have several, if there is a bundle.

use super::build::note_repeated;
use super::role::Role;
use super::table::Index;
use crate::model::ids::{Id as _, ModuleIndex, ModuleRange, NodeId, PerModule, number_of};

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

impl Index<'_> {
    /// Lets modules be compiled in bundles, of which `firsts` are the first members, in order. The
    /// first module begins a bundle in any case.
    pub(crate) fn bundle(&mut self, firsts: &[ModuleIndex]) {
        let mut bundles = Bundles::alone(self.units.len());
        let mut first = ModuleIndex::new(0);
        for module in self.modules() {
            if firsts.binary_search(&module).is_ok() {
                first = module;
            }
            bundles.firsts[module] = first;
            bundles.ends[module] = module;
            bundles.ends[first] = after(module);
        }
        self.bundles = bundles;
        for node in self.replaced_in_bundles() {
            self.facts[node].role = Role::Dropped;
        }
        note_repeated(self);
    }

    /// Returns the definitions in place of which their bundles use another one.
    fn replaced_in_bundles(&self) -> Vec<NodeId> {
        let mut replaced = Vec::new();
        let is_leader = |&node: &NodeId| self.leader(node) == node && self.has_copies(node);
        for leader in self.all_nodes().filter(is_leader) {
            let provider = self.provider(leader);
            let used_in = provider.map(|node| self.module(node));
            let mut last = None;
            for &node in self.definitions(leader).iter().filter(|&&node| Some(node) != provider) {
                let module = Some(self.module(node));
                if module == used_in || module == last {
                    replaced.push(node);
                } else if self.may_be_used(node) {
                    last = module;
                }
            }
        }
        replaced
    }
}

fn after(module: ModuleIndex) -> ModuleIndex {
    ModuleIndex::new(number_of(module.index()) + 1)
}
