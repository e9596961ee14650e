//! What inlining a function costs its caller, in instructions.

use rayon::prelude::*;

use crate::candidates::Candidates;
use crate::model::ids::{NodeId, PerNode};
use crate::model::index::Index;
use crate::model::program::Call;

/// What a call counts beside its instruction and its arguments, in instructions: LLVM's penalty.
const CALL_PENALTY: u32 = 5;

/// The charge of what is never inlined.
const NEVER: u16 = u16::MAX;

/// The charge of what is inlined, or forced in, whatever was spent.
const FREE: u16 = NEVER - 1;

/// The largest other charge, beyond every room.
const LARGEST: u16 = FREE - 1;

/// What every function costs a caller that inlines it.
pub(super) struct Budgets {
    /// Of each node: instructions, with what its calls cost beyond one each, or [`NEVER`], or [`FREE`].
    charges: PerNode<u16>,
}

impl Budgets {
    pub(super) fn new(index: &Index<'_>, candidates: &Candidates) -> Self {
        let charge = |node: NodeId| {
            let Some(function) = index.function(node) else { return NEVER };
            let flags = function.flags();
            if flags.kernel || flags.no_inline || index.linkage(node).is_interposable() {
                return NEVER;
            }
            if candidates.facts(node).is_forced() {
                return FREE;
            }
            let calls = function.calls().iter();
            let calls = calls.map(|call| call_cost(call).saturating_mul(call.count()));
            let charge = calls.fold(function.instruction_count(), u32::saturating_add);
            u16::try_from(charge).unwrap_or(LARGEST).min(LARGEST)
        };
        Self { charges: index.all_nodes().into_par().map(charge).collect() }
    }

    /// What inlining one call of `callee` adds to the caller, in instructions: at least one, and none only where
    /// that does not matter.
    pub(super) fn charge(&self, callee: NodeId, call: &Call) -> Option<u32> {
        match self.charges[callee] {
            NEVER => None,
            FREE => Some(0),
            charge => Some(u32::from(charge).saturating_sub(call_cost(call) + 1).max(1)),
        }
    }
}

/// What LLVM counts for a call beside its instruction, in instructions.
fn call_cost(call: &Call) -> u32 {
    CALL_PENALTY + call.parameter_bytes().div_ceil(4)
}
