//! What the walks of all modules read.

use super::budget::Budgets;
use super::workload::Workload;
use crate::analyses::devirtualize::Devirtualized;
use crate::candidates::Candidates;
use crate::closing::Closing;
use crate::model::ids::NodeId;
use crate::model::index::Index;
use crate::model::policy::ImportPolicy;
use crate::model::program::Variable;

/// What the walks of all modules share.
pub(super) struct Shared<'a, 'units> {
    pub(super) index: &'a Index<'units>,
    pub(super) policy: &'a ImportPolicy,
    /// What bodies call besides their direct calls.
    pub(super) virtual_calls: &'a Devirtualized,
    pub(super) candidates: &'a Candidates,
    pub(super) closing: &'a Closing,
    pub(super) workload: Workload,
    /// What the inliner has room for, where imports go by that.
    pub(super) budgets: Option<Budgets>,
}

impl Shared<'_, '_> {
    /// The functions that the constant at `table` lists.
    pub(super) fn listed_functions(&self, table: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let listed = self.index.variable(table).map_or(&[][..], Variable::references);
        let targets = listed.iter().filter_map(|&it| self.index.provider(it));
        targets.filter(|&target| self.index.is_function(target))
    }
}
