//! The imports of all modules.

use rayon::prelude::*;

use super::budget::Budgets;
use super::distant::DistantCalls;
use super::result::Imports;
use super::scratch::Scratch;
use super::shared::Shared;
use super::walk::Walk;
use super::workload::Workload;
use crate::analyses::devirtualize::Devirtualized;
use crate::analyses::kernel_choices::KernelChoices;
use crate::candidates::Candidates;
use crate::closing::Closing;
use crate::model::ids::PerModule;
use crate::model::index::Index;
use crate::model::policy::ImportPolicy;

/// Decides the imports of every module, in module order.
pub(crate) fn decide(
    index: &Index<'_>,
    (virtual_calls, candidates, kernel_choices): (&Devirtualized, &Candidates, &KernelChoices),
    closing: &Closing,
    policy: &ImportPolicy,
) -> PerModule<Imports> {
    let workload = Workload::new(index, policy);
    let budgets = policy.goes_by_budgets().then(|| Budgets::new(index, candidates));
    let distant_calls = DistantCalls::new(index);
    let shared = Shared {
        index,
        policy,
        virtual_calls,
        distant_calls,
        candidates,
        closing,
        kernel_choices,
        workload,
        budgets,
    };
    index
        .modules()
        .into_par()
        .map_init(Scratch::new, |scratch, module| {
            // The jobs of LTO IR read whole units.
            if index.is_lto_ir(module) {
                return Imports::default();
            }
            Walk::new(&shared, module, scratch).run()
        })
        .collect()
}
