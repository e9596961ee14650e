//! Predicts the inliner's budgets, before anything is imported.
//!
//! The backend job's inliner lets each function grow up to a budget and no further
//! ([`weft_artifact::inline_budget`]), so a module whose kernel can reach ten thousand small
//! functions uses a few hundred of them, although each alone is far below any limit. The others
//! would only be read, moved, optimized and dropped, and each of them makes the module depend on
//! one more body. So each function of a module is a *caller* with its own room, and a body is
//! imported only if some caller has room for it.
//!
//! The prediction follows the inliner. A caller's calls are visited level by level: first its own,
//! then those in the bodies that it took, until the room is spent or no call is left. Each call
//! that is taken is charged with LLVM's estimate of the growth: the callee's instructions, and the
//! cost of the calls in it, less the cost of the call that is replaced ([`Budgets::charge`]).
//! Bodies of the caller's own module are charged like any others. Within a level the hottest calls
//! go first, then those of the most important callees by profile, and then the smallest; the
//! inliner goes by the order in the body, which a summary does not have. A body that is not
//! imported cannot compete for the room, so the order of two callees matters less than their sum.
//!
//! That the inliner works from the leaves up changes little: bodies that were inlined into a callee
//! arrive together with it and are charged then.
//!
//! - *Room.* A kernel has [`KERNEL`] instructions or the share of them that feedback gives it, a
//!   function that is small and may be inlined [`SMALL`], any other [`LARGE`]. The inliner gives
//!   functions that end up local the large room even if they are small. Kernels do not need that:
//!   they take locals and their callees into their own room. A `noinline` function stays a function
//!   and may become local, so it has the large room.
//! - *Trivial callees* are inlined regardless of the budget, as in the inliner. A function that
//!   must be inlined (`alwaysinline`) or is forced in is taken likewise, without a charge. Callees
//!   of such bodies are followed until there are as many of them as the room has instructions.
//! - *Cycles.* No function is inlined into its own inlined body, so a call of a function that is on
//!   the path from the caller is skipped.
//! - Targets of indirect calls are not predicted; only the limits of single callees bound them.
//!
//! The rooms here are larger than the inliner's, as optimized code is smaller than the code that
//! summaries describe: in generated programs of 33 units kernels grew by 0.84 of their charges
//! here, other functions by 0.6.
//!
//! Cost: for each caller the calls of the bodies that it takes, of which there are at most as many
//! as its room has instructions; in practice a few for a function and some hundred for a kernel.
//! Each caller is predicted separately, so neither order nor threads matter.

use std::cmp::Reverse;

use weft_artifact::inline_budget::{
    EXPORTED_PART, INLINE_BUDGET, KERNEL_BUDGETS, OFTEN_IMPORTED, TRIVIAL_GROWTH,
    UNITS_PER_INSTRUCTION,
};

use super::budget::Budgets;
use super::decision::{Class, class};
use super::offers::{Lists, Offered, Taken};
use super::scratch::Scratch;
use super::shared::Shared;
use super::threshold;
use crate::candidates::{CandidateKind, call_cost};

use crate::model::ids::{ModuleIndex, NodeId};
use crate::model::program::{Call, Function};

/// Room of a kernel, in instructions.
const KERNEL: u32 = room(INLINE_BUDGET * KERNEL_BUDGETS, 125);

/// Room of a small function, in instructions.
const SMALL: u32 = room(INLINE_BUDGET / EXPORTED_PART, 150);

/// Room of another function, in instructions.
const LARGE: u32 = room(INLINE_BUDGET, 150);

/// A callee that adds no more instructions than this is taken regardless of the budget.
const TRIVIAL: u32 = TRIVIAL_GROWTH / UNITS_PER_INSTRUCTION;

/// Returns a room in instructions that is `percent` of the inliner's.
const fn room(units: u32, percent: u32) -> u32 {
    units / UNITS_PER_INSTRUCTION * percent / 100
}

/// Growth of a caller, in instructions.
#[derive(Clone, Copy)]
struct Growth {
    /// Highest sum of charges.
    room: u32,
    /// Sum of charges so far.
    spent: u32,
    /// Number of calls taken.
    taken: u32,
}

/// A prediction for the callers of one module.
pub(super) struct Prediction<'a, 'units> {
    shared: &'a Shared<'a, 'units>,
    budgets: &'a Budgets,
    module: ModuleIndex,
    lists: Lists,
}

impl<'a, 'units> Prediction<'a, 'units> {
    /// Notes in `scratch` which definitions of other modules the callers of `module` have room for.
    pub(super) fn run(
        shared: &'a Shared<'a, 'units>,
        budgets: &'a Budgets,
        module: ModuleIndex,
        scratch: &mut Scratch,
    ) {
        let lists = std::mem::take(&mut scratch.prediction);
        let mut prediction = Self { shared, budgets, module, lists };
        let index = shared.index;
        for node in index.nodes(module) {
            if shared.closing.stays(node)
                && index.may_be_used(node)
                && let Some(function) = index.function(node)
            {
                prediction.follow(node, function, scratch);
            }
        }
        scratch.prediction = prediction.lists;
    }

    /// Takes the bodies that the caller at `node` has room for.
    fn follow(&mut self, node: NodeId, function: Function<'_>, scratch: &mut Scratch) {
        if function.calls().is_empty() && function.virtual_calls().is_empty() {
            return;
        }
        let flags = function.flags();
        let is_small = function.instruction_count() <= OFTEN_IMPORTED;
        let room = if flags.kernel {
            self.shared.kernel_choices.of(node).share_of(KERNEL)
        } else if is_small && !flags.no_inline {
            SMALL
        } else {
            LARGE
        };
        let is_kernel = flags.kernel;
        let base = threshold::of_own_body(self.shared.policy, is_kernel);
        let mut growth = Growth { room, spent: 0, taken: 0 };
        self.lists.taken.push(Taken { node, parent: 0, base, times: 1 });
        let mut level = 0..1;
        while !level.is_empty() {
            for position in level.clone() {
                self.offer_callees(position, growth);
            }
            level.start = level.end;
            self.take(&mut growth, scratch);
            level.end = self.lists.taken.len();
        }
        self.lists.taken.clear();
    }

    /// Offers the callees of a body that was taken.
    fn offer_callees(&mut self, position: usize, growth: Growth) {
        let caller = &self.lists.taken[position];
        let (node, base, times) = (caller.node, caller.base, caller.times);
        let Some(function) = self.shared.index.function(node) else { return };
        for call in function.calls() {
            let class = class(call, function);
            self.offer(call.callee(), call, class, (position, base, times), growth);
        }
        for target in self.shared.virtual_calls.targets(function) {
            let call = Call::of(&weft_artifact::Call::once(weft_artifact::SymbolIndex(0)));
            self.offer(target, &call, Class::Normal, (position, base, times), growth);
        }
        for &(target, class) in self.shared.distant_calls.of(node) {
            let call = Call::of(&weft_artifact::Call::once(weft_artifact::SymbolIndex(0)));
            self.offer(target, &call, class, (position, base, times), growth);
        }
    }

    fn offer(
        &mut self,
        callee: NodeId,
        call: &Call,
        class: Class,
        (parent, base, times): (usize, u32, u32),
        growth: Growth,
    ) {
        let Some(charge) = self.budgets.charge(callee, call) else { return };
        if !growth.admits(charge) || self.is_on_the_way(callee, parent) {
            return;
        }
        let shared = self.shared;
        let facts = shared.candidates.facts(callee);
        let below = if shared.index.module(callee) == self.module {
            threshold::of_own_body(shared.policy, false)
        } else {
            let gain = if class == Class::Cold { 0 } else { call_cost::gain(call) };
            let limit = threshold::at_call(shared.policy, base, class).saturating_add(gain);
            if facts.kind != CandidateKind::Function
                || !facts.weigh(shared.policy.weights(), limit).is_import()
            {
                return;
            }
            threshold::below(shared.policy, base, class)
        };
        let times = times.saturating_mul(call.count().max(1));
        let taken = Taken { node: callee, parent, base: below, times };
        let importance = shared.importance(callee);
        self.lists.offered.push(Offered { charge, class, importance, taken });
    }

    /// Whether the function at `node` is the body at `position` or one into which that was inlined.
    fn is_on_the_way(&self, node: NodeId, mut position: usize) -> bool {
        loop {
            let taken = &self.lists.taken[position];
            if taken.node == node {
                return true;
            }
            if position == 0 {
                return false;
            }
            position = taken.parent;
        }
    }

    /// Takes the callees for which there is room: the hottest first, of equally hot ones the most
    /// important by profile, and then the smallest.
    fn take(&mut self, growth: &mut Growth, scratch: &mut Scratch) {
        let Lists { taken, offered } = &mut self.lists;
        let rank = |offered: &Offered| {
            let best = Reverse((offered.class, offered.importance));
            (best, offered.charge, offered.taken.node, offered.taken.parent)
        };
        offered.sort_unstable_by_key(rank);
        for offered in offered.drain(..) {
            let times = growth.add(&offered);
            if times == 0 {
                continue;
            }
            let node = offered.taken.node;
            if self.shared.index.module(node) != self.module {
                let entry = scratch.entry(node);
                scratch.set_has_room(entry);
            }
            taken.push(Taken { times, ..offered.taken });
        }
    }
}

impl Growth {
    /// Whether a call that adds `charge` may still be taken.
    fn admits(&self, charge: u32) -> bool {
        charge <= self.room.saturating_sub(self.spent) || is_free(charge) && self.taken <= self.room
    }

    /// Adds as many of the callee's calls as there is room for, and returns their number.
    fn add(&mut self, &Offered { charge, ref taken, .. }: &Offered) -> u32 {
        let fitting = self.room.saturating_sub(self.spent).checked_div(charge);
        let times = match fitting {
            Some(fitting) if !is_free(charge) => taken.times.min(fitting),
            _ if self.admits(charge) => taken.times,
            _ => 0,
        };
        self.taken = self.taken.saturating_add(times);
        self.spent = self.spent.saturating_add(charge.saturating_mul(times));
        times
    }
}

/// Whether the inliner takes a call of that charge regardless of the budget.
fn is_free(charge: u32) -> bool {
    charge <= TRIVIAL
}
