//! Lets modules be compiled in bundles, once it is known which definitions prevail.
//!
//! A bundle needs one definition of each name: the prevailing one if a member has it, or else the
//! first that may be used. Its other definitions are dropped.
//!
//! Cost: one pass over the definitions of names that have several.

use super::bundles::Bundles;
use super::repeated::note_repeated;
use super::role::Role;
use super::table::Index;
use crate::model::ids::{ModuleIndex, NodeId};

impl Index<'_> {
    /// Lets modules be compiled in bundles, of which `firsts` are the first members, in order.
    pub(crate) fn bundle(&mut self, firsts: &[ModuleIndex]) {
        self.bundles = Bundles::of(self.units.len(), firsts);
        for node in self.replaced_in_bundles() {
            self.facts[node].role = Role::Dropped;
        }
        note_repeated(self);
    }

    /// Returns the definitions that another one in their bundle replaces.
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
