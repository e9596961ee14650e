//! The cost of inlining a function into a caller, in instructions.

use rayon::prelude::*;

use crate::candidates::Candidates;
use crate::model::ids::{NodeId, PerNode};
use crate::model::index::Index;
use crate::model::program::Call;

/// Cost of a call beside its instruction and its arguments, in instructions: LLVM's penalty.
const CALL_PENALTY: u32 = 5;

/// Charge of a function that is never inlined.
const NEVER: u16 = u16::MAX;

/// Charge of a function that is inlined, or forced in, regardless of the budget.
const FREE: u16 = NEVER - 1;

/// The largest other charge, beyond every room.
const LARGEST: u16 = FREE - 1;

/// The charge of each function to a caller that inlines it.
pub(super) struct Budgets {
    /// For each node, the number of its instructions plus the cost of its calls beyond one each, or
    /// [`NEVER`], or [`FREE`].
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

    /// Returns the number of instructions that inlining one call of `callee` adds to the caller: at
    /// least one, or 0 for a callee that is inlined regardless of the budget.
    pub(super) fn charge(&self, callee: NodeId, call: &Call) -> Option<u32> {
        match self.charges[callee] {
            NEVER => None,
            FREE => Some(0),
            charge => Some(u32::from(charge).saturating_sub(call_cost(call) + 1).max(1)),
        }
    }
}

/// Returns LLVM's cost of a call beside its instruction, in instructions.
fn call_cost(call: &Call) -> u32 {
    CALL_PENALTY + call.parameter_bytes().div_ceil(4)
}
