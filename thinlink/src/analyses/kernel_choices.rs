//! Choices that feedback about earlier builds makes for kernels.
//!
//! Feedback names kernels as the linked program does. A local kernel has a name there that no
//! source gives it, so feedback about one is ignored, as is feedback about a kernel that no longer
//! exists.
//!
//! Cost: a look-up per live kernel, where there is feedback.

use std::collections::BTreeMap;

use weft_artifact::{Feedback, KernelChoice, PlannedKernel};

use super::liveness::Liveness;
use crate::model::ids::{ModuleIndex, NodeId};
use crate::model::index::Index;

/// The choices, by the kernels' nodes.
#[derive(Debug, Default)]
pub(crate) struct KernelChoices(BTreeMap<NodeId, KernelChoice>);

impl KernelChoices {
    /// Finds the live kernels that `feedback` has choices for.
    pub(crate) fn new(index: &Index<'_>, liveness: &Liveness, feedback: &Feedback) -> Self {
        let architecture = index.architecture();
        if feedback.kernels().is_empty() {
            return Self::default();
        }
        let is_meant = |&node: &NodeId| {
            index.is_kernel(node)
                && liveness.live[node]
                && index.prevails(node)
                && !index.is_local(node)
        };
        let kernels = index.all_nodes().filter(is_meant);
        let chosen = kernels
            .filter_map(|node| Some((node, feedback.choice(architecture, index.name(node))?)));
        Self(chosen.collect())
    }

    /// Returns the choice for the kernel at `node`; the default without feedback.
    pub(crate) fn of(&self, node: NodeId) -> KernelChoice {
        self.0.get(&node).copied().unwrap_or_default()
    }

    /// Returns the number of kernels with a choice.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the choices for the kernels of `module` and of the other members of its bundle,
    /// sorted by name.
    pub(crate) fn plan(&self, index: &Index<'_>, module: ModuleIndex) -> Vec<PlannedKernel> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let own = index.members(module).flat_map(|member| index.own_nodes(member));
        let planned = own.filter_map(|node| {
            let choice = *self.0.get(&node)?;
            Some(PlannedKernel { name: index.name(node).to_owned(), choice })
        });
        let mut planned: Vec<PlannedKernel> = planned.collect();
        planned.sort_by(|one, other| one.name.cmp(&other.name));
        planned
    }
}
