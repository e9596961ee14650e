//! Variables whose initial values hold for the whole run of the program.
//!
//! clang writes each `__device__` variable as one that the host may set before a kernel runs. Where
//! the host's references are known, variables that it never names start with their initializers,
//! and where no live code writes to them either, they are constants: every module may look into the
//! initializer. A variable is left alone if its address escapes: into another variable, to a
//! function that may write, or to opaque code, which makes it a root.
//!
//! Cost: each symbol and each reference of live code once, in parallel.

use rayon::prelude::*;
use weft_artifact::SymbolIndex;

use super::host::Host;
use super::liveness::Liveness;
use crate::model::ids::{NodeId, PerNode};
use crate::model::index::Index;
use crate::model::policy::Policy;

/// Variables that are constants for the program although their modules do not say so.
#[derive(Default)]
pub(crate) struct Constants(PerNode<bool>);

impl Constants {
    /// Finds the variables. There are none unless everything that names a variable is known.
    pub(crate) fn new(
        index: &Index<'_>,
        host: &Host<'_>,
        liveness: &Liveness,
        policy: &Policy,
    ) -> Self {
        if !host.complete || !policy.roots.takes_variables() {
            return Self::default();
        }
        let is_candidate = |node: NodeId| is_candidate(index, liveness, node);
        let mut constants: PerNode<bool> = index.all_nodes().into_par().map(is_candidate).collect();
        let live = index.all_nodes().into_par();
        let live = live.filter(|&node| liveness.live[node] && index.may_be_used(node));
        let written: Vec<NodeId> =
            live.flat_map_iter(|node| written_by(index, &constants, node)).collect();
        for node in written {
            constants[node] = false;
        }
        Self(constants)
    }

    /// Whether the variable that references to the name of `node` bind to is such a constant.
    pub(crate) fn holds(&self, index: &Index<'_>, node: NodeId) -> bool {
        let provider = index.provider(node).filter(|_| !self.0.is_empty());
        provider.is_some_and(|provider| self.0[provider])
    }
}

/// Whether `node` is a variable that nothing but device code in the index can name, and whose
/// initializer is the program's.
fn is_candidate(index: &Index<'_>, liveness: &Liveness, node: NodeId) -> bool {
    let is_own = |&definition: &NodeId| {
        !liveness.fixed[definition]
            && !index.linkage(definition).is_interposable()
            && !index.is_aliased(definition)
            && !index.is_lto_ir(index.member(definition))
    };
    let Some(variable) = index.variable(node) else { return false };
    let is_constant = variable.is_constant() && !variable.is_externally_initialized();
    !is_constant
        && index.prevails(node)
        && liveness.live[node]
        && !index.is_special(node)
        && !index.is_listing(node)
        && matches!(index.address_space(node), 1 | 4)
        && index.definitions(node).iter().all(is_own)
}

/// Returns the candidates that the body at `node` may write to, or whose addresses escape from it.
fn written_by(index: &Index<'_>, candidates: &PerNode<bool>, node: NodeId) -> Vec<NodeId> {
    let mut written = Vec::new();
    if index.is_listing(node) {
        return written;
    }
    index.for_each_reference(node, |edge| written.extend(candidates[edge].then_some(edge)));
    if let Some(function) = index.function(node).filter(|_| !written.is_empty()) {
        let read = |&symbol: &SymbolIndex| index.provider(index.sibling(node, symbol));
        let only_read: Vec<NodeId> = function.reads().iter().filter_map(read).collect();
        written.retain(|target| !only_read.contains(target));
    }
    written
}
