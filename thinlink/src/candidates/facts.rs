//! Facts about definitions that decide whether they may be imported.

use rayon::prelude::*;
use weft_artifact::{ImportPriority, Linkage};

use super::outcome::ImportOutcome;
use super::sizes::Sizes;
use crate::analyses::constants::Constants;
use crate::analyses::liveness::Liveness;
use crate::model::flags::bit;
use crate::model::ids::{NodeId, PerNode};
use crate::model::index::Index;
use crate::model::policy::{ImportModel, ImportPolicy, Weights, scaled};
use crate::model::program::{Function, Variable};

/// Largest variable, in bytes, whose initializer is imported. Above it the bitcode that importers
/// carry outweighs the loads that fold; virtual tables and coefficient tables are far below.
const VARIABLE_SIZE_LIMIT: u64 = 4096;

/// Factor on the cost of a function of low priority: it is imported when the threshold is at least
/// the product.
const GENEROUS: u32 = 10;

/// Finds locals that no other module can refer to, as their names must stay, and copyable locals
/// whose initializers lead to one. A body that names one stays in its module.
fn stuck_locals(index: &Index<'_>, liveness: &Liveness) -> PerNode<bool> {
    let mut stuck: PerNode<bool> = index
        .all_nodes()
        .into_par()
        .map(|node| index.is_local(node) && liveness.fixed[node] && !index.is_copyable(node))
        .collect();
    for module in index.modules() {
        let nodes = index.nodes(module);
        let mut changed = nodes.clone().any(|node| stuck[node]);
        while changed {
            changed = false;
            for node in nodes.clone().filter(|&node| index.is_copyable(node)) {
                if !stuck[node] && index.any_edge(node, |edge| stuck[edge]) {
                    stuck[node] = true;
                    changed = true;
                }
            }
        }
    }
    stuck
}

/// Facts about one definition as a candidate, computed once for all modules, since most modules
/// meet a popular one.
#[derive(Clone, Copy)]
pub(crate) struct Facts {
    /// Cost of a function, or bytes of a variable.
    pub(crate) cost: u32,
    pub(crate) kind: CandidateKind,
    /// For a function, the reason why it must not be imported, regardless of cost, or else
    /// undecided. For a variable, the final outcome.
    pub(crate) outcome: ImportOutcome,
    bits: u8,
    /// For the leader of a name with several definitions, the position of its thresholds.
    pub(super) copies: u32,
}

/// Position for a name without several definitions.
const ALONE: u32 = u32::MAX;

/// Bit of a `noinline` function.
const NO_INLINE: u8 = 1;
/// Bit of a function whose size does not matter.
const FORCED: u8 = 1 << 1;
/// Bit of a function that is imported only when the limit is generous.
const LOW: u8 = 1 << 2;
/// Bit of a constant that every module can look into, with addresses of functions in it.
const LISTS_FUNCTIONS: u8 = 1 << 3;
/// Bit of a definition that references to its name bind to.
const PREVAILS: u8 = 1 << 4;
/// Bit of a variable of which importers take a copy instead of a reference.
const COPYABLE: u8 = 1 << 5;

/// Bit of a function of which other modules may hold copies. Each module that calls it compiles a
/// copy anyway, so a generous limit is right where an imported body calls it.
const COMDAT: u8 = 1 << 6;

/// Kinds of candidates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CandidateKind {
    Function,
    Variable,
    Alias,
    /// Not defined, or not live.
    None,
}

/// Collects the facts about every node.
pub(super) fn facts(
    index: &Index<'_>,
    (liveness, constants): (&Liveness, &Constants),
    policy: &ImportPolicy,
    sizes: Option<&Sizes>,
) -> PerNode<Facts> {
    let stuck = stuck_locals(index, liveness);
    let is_any_stuck = stuck.contains(&true);
    let is_movable =
        |node: NodeId| !is_any_stuck || !stuck[node] && !index.any_edge(node, |edge| stuck[edge]);
    let judged = |node: NodeId| {
        let nothing = Facts {
            cost: 0,
            kind: CandidateKind::None,
            outcome: ImportOutcome::Undecided,
            bits: 0,
            copies: ALONE,
        };
        // Its module removes a definition that is not live, so not even an option can import it.
        if !index.is_definition(node) || !liveness.live[node] {
            return nothing;
        }
        let linkage = index.linkage(node);
        if let Some(function) = index.function(node) {
            let flags = function.flags();
            let is_gpu_model = policy.model == ImportModel::Gpu;
            let priority = function.import_priority();
            let is_comdat = priority == ImportPriority::Standard && linkage.is_merged();
            let is_forced =
                flags.always_inline || is_gpu_model && priority == ImportPriority::Force;
            let outcome = illegal(linkage, function, is_movable(node));
            // A module with its own definition may use that, regardless of its size.
            let is_called = index.prevails(node)
                && !is_forced
                && policy.copy_limit.is_some_and(|limit| function.instruction_count() > limit);
            return Facts {
                kind: CandidateKind::Function,
                cost: sizes.map_or(function.llvm_instruction_count(), |sizes| sizes.of(node)),
                outcome: match outcome {
                    ImportOutcome::Undecided if is_called => ImportOutcome::OverCopyLimit,
                    outcome => outcome,
                },
                bits: bit(NO_INLINE, flags.no_inline)
                    | bit(FORCED, is_forced)
                    | bit(LOW, is_gpu_model && priority == ImportPriority::Low)
                    | bit(COMDAT, is_gpu_model && is_comdat),
                ..nothing
            };
        }
        let Some(variable) = index.variable(node) else {
            return Facts { kind: CandidateKind::Alias, outcome: ImportOutcome::Alias, ..nothing };
        };
        let is_constant = matches!(index.address_space(node), 0 | 1 | 4)
            && (constants.holds(index, node)
                || variable.is_constant() && !variable.is_externally_initialized());
        let outcome = variable_outcome(policy, linkage, is_constant, variable, is_movable(node));
        let edges = variable.references().iter();
        let mut named = edges.filter_map(|&edge| index.provider(edge));
        let lists_functions =
            outcome == ImportOutcome::Constant && named.any(|target| index.is_function(target));
        Facts {
            kind: CandidateKind::Variable,
            cost: u32::try_from(variable.size()).unwrap_or(u32::MAX),
            outcome,
            bits: bit(LISTS_FUNCTIONS, lists_functions),
            ..nothing
        }
    };
    let of = |node: NodeId| {
        let mut facts = judged(node);
        facts.bits |= bit(PREVAILS, index.prevails(node)) | bit(COPYABLE, index.is_copyable(node));
        facts
    };
    index.all_nodes().into_par().map(of).collect()
}

/// Returns the reason why a function must not be imported, regardless of cost, or else undecided.
fn illegal(linkage: Linkage, function: Function<'_>, is_movable: bool) -> ImportOutcome {
    let flags = function.flags();
    if flags.kernel {
        ImportOutcome::Kernel
    } else if is_replaceable(linkage) {
        ImportOutcome::Interposable
    } else if flags.not_importable || !is_movable {
        ImportOutcome::NotImportable
    } else {
        ImportOutcome::Undecided
    }
}

/// Decides whether a variable is imported.
fn variable_outcome(
    policy: &ImportPolicy,
    linkage: Linkage,
    is_constant: bool,
    variable: Variable<'_>,
    is_movable: bool,
) -> ImportOutcome {
    if !is_constant {
        ImportOutcome::NotConstant
    } else if linkage.is_interposable() {
        ImportOutcome::Interposable
    } else if !is_movable {
        ImportOutcome::NotImportable
    } else if !policy.constants_with_refs && !variable.references().is_empty() {
        ImportOutcome::ConstantWithReferences
    } else if policy.model == ImportModel::Gpu && variable.size() > VARIABLE_SIZE_LIMIT {
        ImportOutcome::TooLarge
    } else {
        ImportOutcome::Constant
    }
}

impl Facts {
    /// Whether references to its name bind to it.
    pub(crate) fn prevails(self) -> bool {
        self.bits & PREVAILS != 0
    }

    /// Whether importers take a copy instead of a reference.
    pub(crate) fn is_copyable(self) -> bool {
        self.bits & COPYABLE != 0
    }

    /// Whether it is a constant that every module can look into, with addresses of functions in it.
    pub(crate) fn lists_functions(self) -> bool {
        self.bits & LISTS_FUNCTIONS != 0
    }

    /// Whether it is a function whose body can be in any module.
    pub(crate) fn is_code(self) -> bool {
        self.kind == CandidateKind::Function && self.outcome == ImportOutcome::Undecided
    }

    /// Whether a function is `noinline`, or larger than `limit` and not inlined at all costs.
    pub(crate) fn stays_a_function(self, limit: u32) -> bool {
        self.bits & NO_INLINE != 0 || self.cost > limit && self.bits & FORCED == 0
    }

    /// Returns the least threshold at which the function is imported; the largest number if it
    /// never is. This holds for LLVM's model, which knows no low priority.
    pub(super) fn least_threshold(self, force_all: bool) -> u32 {
        if self.outcome != ImportOutcome::Undecided {
            u32::MAX
        } else if force_all {
            0
        } else if self.bits & NO_INLINE != 0 {
            u32::MAX
        } else if self.bits & FORCED != 0 {
            0
        } else {
            self.cost
        }
    }

    /// Whether its size does not matter.
    pub(crate) fn is_forced(self) -> bool {
        self.bits & FORCED != 0
    }

    /// Decides whether a function is imported at `threshold`, and why.
    pub(crate) fn weigh(self, weights: Weights, threshold: u32) -> ImportOutcome {
        let threshold = if self.bits & LOW != 0 {
            threshold / GENEROUS
        } else if self.bits & COMDAT != 0 {
            scaled(threshold, weights.comdat_multiplier)
        } else {
            threshold
        };
        if self.outcome != ImportOutcome::Undecided {
            self.outcome
        } else if weights.force_all {
            ImportOutcome::Forced
        } else if self.cost > threshold && self.bits & FORCED == 0 {
            ImportOutcome::TooLarge
        } else if self.bits & NO_INLINE != 0 {
            ImportOutcome::NoInline
        } else if self.cost > threshold {
            ImportOutcome::Forced
        } else {
            ImportOutcome::Fits
        }
    }
}

/// Whether another definition may replace one of that linkage. External, ODR, internal and
/// available-externally definitions say what the symbol means; appended arrays are no functions.
fn is_replaceable(linkage: Linkage) -> bool {
    match linkage {
        Linkage::External
        | Linkage::AvailableExternally
        | Linkage::Internal
        | Linkage::Private
        | Linkage::LinkonceOdr
        | Linkage::WeakOdr => false,
        Linkage::LinkonceAny
        | Linkage::WeakAny
        | Linkage::ExternalWeak
        | Linkage::Common
        | Linkage::Appending => true,
    }
}
