//! Facts that the walks of all modules read.

use super::budget::Budgets;
use super::distant::DistantCalls;
use super::workload::Workload;
use crate::analyses::devirtualize::Devirtualized;
use crate::analyses::kernel_choices::KernelChoices;
use crate::candidates::Candidates;
use crate::closing::Closing;
use crate::model::ids::NodeId;
use crate::model::index::Index;
use crate::model::policy::ImportPolicy;
use crate::model::program::{Function, Variable};

/// Facts that the walks of all modules share.
pub(super) struct Shared<'a, 'units> {
    pub(super) index: &'a Index<'units>,
    pub(super) policy: &'a ImportPolicy,
    /// Targets of the virtual calls in bodies.
    pub(super) virtual_calls: &'a Devirtualized,
    pub(super) distant_calls: DistantCalls,
    pub(super) candidates: &'a Candidates,
    pub(super) closing: &'a Closing,
    pub(super) kernel_choices: &'a KernelChoices,
    pub(super) workload: Workload,
    /// Charges of functions, if the inliner's room is predicted.
    pub(super) budgets: Option<Budgets>,
}

impl Shared<'_, '_> {
    /// Returns the functions that the constant at `table` lists.
    pub(super) fn listed_functions(&self, table: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let listed = self.index.variable(table).map_or(&[][..], Variable::references);
        let targets = listed.iter().filter_map(|&function| self.index.provider(function));
        targets.filter(|&target| self.index.is_function(target))
    }

    /// Returns the importance of the function at `node` by its profile; 0 without one.
    pub(super) fn importance(&self, node: NodeId) -> u32 {
        self.index.function(node).map_or(0, Function::importance)
    }
}
