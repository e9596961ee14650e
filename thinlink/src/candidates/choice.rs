//! Chooses the definition of a name that is imported, if any is.

use rayon::prelude::*;

use super::facts::{self, CandidateKind, Facts};
use super::outcome::ImportOutcome;
use super::sizes::Sizes;
use crate::analyses::constants::Constants;
use crate::analyses::liveness::Liveness;
use crate::model::ids::{NodeId, PerNode};
use crate::model::index::Index;
use crate::model::policy::{ImportModel, ImportPolicy, Weights};

/// A definition that was weighed, with its cost and the outcome.
pub(crate) struct Judgment {
    pub(crate) copy: NodeId,
    pub(crate) cost: u32,
    pub(crate) is_function: bool,
    pub(crate) outcome: ImportOutcome,
}

/// Thresholds of a name with several definitions. Every module can have one, and most modules that
/// call the name find them too large.
struct Copies {
    /// The least threshold at which a definition is imported; the largest number where none ever
    /// is.
    least: u32,
    /// The definition that is imported from that threshold on, if it is the same at every
    /// threshold.
    first: Option<NodeId>,
    /// The definition that is refused below that threshold: the last one that is rejected only for
    /// its size or `noinline`, or else the prevailing one.
    refused: NodeId,
}

/// Finds the names with several definitions, and notes the positions in the list in the facts about
/// their leaders.
fn copies(index: &Index<'_>, policy: &ImportPolicy, facts: &mut PerNode<Facts>) -> Vec<Copies> {
    if policy.model == ImportModel::Gpu {
        return Vec::new();
    }
    let is_weighed = |copy: NodeId| facts[copy].outcome == ImportOutcome::Undecided;
    let least = |copy: NodeId| facts[copy].least_threshold(policy.force_all);
    let of_name = |leader: NodeId| {
        let copies = index.definitions(leader).iter().copied();
        let refused = copies.clone().rfind(|&copy| is_weighed(copy));
        let first = copies.clone().find(|&copy| least(copy) < u32::MAX);
        let least_of_all = copies.map(least).min().unwrap_or(u32::MAX);
        let first = first.filter(|&copy| least(copy) == least_of_all);
        (leader, Copies { least: least_of_all, first, refused: refused.unwrap_or(leader) })
    };
    let leaders = index.all_nodes().into_par().filter(|&node| index.has_copies(node));
    let named: Vec<(NodeId, Copies)> = leaders.map(of_name).collect();
    for (place, (leader, _)) in (0..).zip(&named) {
        facts[*leader].copies = place;
    }
    named.into_iter().map(|(_, copies)| copies).collect()
}

/// Facts about each definition as something that other modules may get.
pub(crate) struct Candidates {
    facts: PerNode<Facts>,
    /// Thresholds of names with several definitions.
    copies: Vec<Copies>,
    weights: Weights,
}

impl Candidates {
    /// Collects the facts about all live definitions.
    pub(crate) fn new(
        index: &Index<'_>,
        liveness: &Liveness,
        constants: &Constants,
        policy: &ImportPolicy,
    ) -> Self {
        let sizes = (policy.model == ImportModel::Gpu).then(|| Sizes::new(index));
        let mut facts = facts::facts(index, (liveness, constants), policy, sizes.as_ref());
        let copies = copies(index, policy, &mut facts);
        Self { facts, copies, weights: policy.weights() }
    }

    /// Returns the facts about `node`.
    #[inline]
    pub(crate) fn facts(&self, node: NodeId) -> Facts {
        self.facts[node]
    }

    /// Whether the definition at `node` is a function whose body can be in any module.
    pub(crate) fn is_code(&self, node: NodeId) -> bool {
        self.facts[node].is_code()
    }

    /// Whether the definition at `node` is a function that other modules call, as it is too large
    /// for them to have it.
    pub(crate) fn is_over_copy_limit(&self, node: NodeId) -> bool {
        self.facts[node].outcome == ImportOutcome::OverCopyLimit
    }

    /// Whether the definition at `node` is a constant that every module can look into, with
    /// addresses of functions in it.
    pub(crate) fn lists_functions(&self, node: NodeId) -> bool {
        self.facts[node].lists_functions()
    }

    /// Whether the function at `node` will hardly be inlined: it is `noinline`, or larger than
    /// `limit` instructions together with the callees that will be inlined into it.
    pub(crate) fn stays_a_function(&self, node: NodeId, limit: u32) -> bool {
        self.facts[node].stays_a_function(limit)
    }
}

impl Candidates {
    /// Decides whether the function that `provider` prevails for is imported at `threshold`.
    pub(crate) fn judge(&self, index: &Index<'_>, provider: NodeId, threshold: u32) -> Judgment {
        let judge = |copy: NodeId| self.judge_copy(copy, threshold);
        // LLVM takes the first definition that fits. If none does, it reports the last one that it
        // rejected for its size or `noinline`.
        let Some(copies) = self.copies.get(self.facts[provider].copies as usize) else {
            return judge(provider);
        };
        if threshold < copies.least {
            return judge(copies.refused);
        }
        if let Some(first) = copies.first {
            return judge(first);
        }
        let all = index.definitions(provider).iter();
        let fitting = all.map(|&copy| judge(copy)).find(|judgment| judgment.outcome.is_import());
        fitting.unwrap_or_else(|| judge(copies.refused))
    }

    fn judge_copy(&self, copy: NodeId, threshold: u32) -> Judgment {
        let facts = self.facts[copy];
        let outcome = facts.weigh(self.weights, threshold);
        Judgment {
            copy,
            cost: facts.cost,
            is_function: facts.kind == CandidateKind::Function,
            outcome,
        }
    }
}
