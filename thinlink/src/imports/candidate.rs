//! Which definitions may be imported at all, and which of them fit.

use rayon::prelude::*;
use weft_artifact::{ImportPriority, Linkage};

use super::Shared;
use super::decision::Verdict;
use super::policy::{ImportModel, ImportPolicy};
use super::size::Sizes;
use crate::flags::bit;
use crate::index::{Index, Node, position};
use crate::liveness::Liveness;
use crate::program::{Body, Function, Variable};

/// Largest variable, in bytes, whose initialiser is imported. Above it the bitcode that importers
/// carry outweighs the loads that fold; virtual tables and coefficient tables are far below.
const VARIABLE_SIZE_LIMIT: u64 = 4096;

/// A function of low priority is imported when the threshold is that many times what it costs.
const GENEROUS: u32 = 10;

/// A copy of a candidate, with what it costs and what follows from that.
pub(super) struct Judgement {
    pub(super) copy: Node,
    pub(super) cost: u32,
    pub(super) is_function: bool,
    pub(super) verdict: Verdict,
}

/// What is known of a name with several copies. It can have one in every module, and most of those that
/// call it find it too large.
pub(super) struct Copies {
    /// The least threshold at which a copy is imported; the largest number where none ever is.
    least: u32,
    /// From there on, the copy that is imported, where that is the same at every threshold.
    first: Option<u32>,
    /// Below that, the copy whose size or `noinline` is what is wrong: the last such one, or else the one
    /// that prevails.
    refused: u32,
}

/// The names with several copies. Their leaders' facts get to know where in the list they are.
pub(super) fn copies(index: &Index<'_>, policy: &ImportPolicy, facts: &mut [Facts]) -> Vec<Copies> {
    if policy.model == ImportModel::Gpu {
        return Vec::new();
    }
    let is_weighed = |copy: u32| facts[copy as usize].verdict == Verdict::Undecided;
    let least = |copy: u32| facts[copy as usize].least_threshold(policy.force_all);
    let of_name = |leader: Node| {
        let copies = index.definitions(leader).iter().copied();
        let refused = copies.clone().rfind(|&copy| is_weighed(copy));
        let first = copies.clone().find(|&copy| least(copy) < u32::MAX);
        let least_of_all = copies.map(least).min().unwrap_or(u32::MAX);
        let first = first.filter(|&copy| least(copy) == least_of_all);
        let leader = position(leader);
        (leader, Copies { least: least_of_all, first, refused: refused.unwrap_or(leader) })
    };
    let leaders = (0..index.len()).into_par_iter().filter(|&node| index.has_copies(node));
    let named: Vec<(u32, Copies)> = leaders.map(of_name).collect();
    for (place, (leader, _)) in (0..).zip(&named) {
        facts[*leader as usize].copies = place;
    }
    named.into_iter().map(|(_, copies)| copies).collect()
}

/// Locals that no other module can refer to, as their name has a meaning of its own, and copyable
/// locals whose initialisers lead to one. A body that names one stays in its module.
fn stuck_locals(index: &Index<'_>, liveness: &Liveness) -> Vec<bool> {
    let mut stuck: Vec<bool> = (0..index.len())
        .into_par_iter()
        .map(|node| index.is_local(node) && liveness.fixed[node] && !index.is_copyable(node))
        .collect();
    for module in 0..index.units.len() {
        let nodes = index.nodes(module);
        let mut changed = stuck[nodes.clone()].contains(&true);
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

/// What is known of one definition as a candidate, whoever may import it: worked out once for all
/// modules, since a popular one is met by most of them.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    /// What it costs. Of a variable, its bytes.
    pub(super) cost: u32,
    pub(super) kind: Kind,
    /// Of a function, why it must not be imported whatever it costs, or else undecided. Of a
    /// variable, what becomes of it.
    pub(super) verdict: Verdict,
    bits: u8,
    /// Of the leader of a name with several copies: its place among [`copies`].
    copies: u32,
}

/// No place among those.
const ALONE: u32 = u32::MAX;

/// Marked `noinline`.
const NO_INLINE: u8 = 1;
/// Its size does not matter.
const FORCED: u8 = 1 << 1;
/// Only when the limit is generous.
const LOW: u8 = 1 << 2;
/// A constant that every module can look into, with addresses of functions in it.
const LISTS_FUNCTIONS: u8 = 1 << 3;
/// References to its name bind to it.
const PREVAILS: u8 = 1 << 4;
/// Importers take a copy in place of a reference.
const COPYABLE: u8 = 1 << 5;

/// Kinds of candidates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Function,
    Variable,
    Alias,
    /// Not defined, or not live.
    None,
}

/// Facts of every node.
pub(super) fn facts(
    index: &Index<'_>,
    liveness: &Liveness,
    policy: &ImportPolicy,
    sizes: Option<&Sizes>,
) -> Vec<Facts> {
    let stuck = stuck_locals(index, liveness);
    let is_any_stuck = stuck.contains(&true);
    let is_movable =
        |node: Node| !is_any_stuck || !stuck[node] && !index.any_edge(node, |edge| stuck[edge]);
    let judged = |node: Node| {
        let nothing = Facts {
            cost: 0,
            kind: Kind::None,
            verdict: Verdict::Undecided,
            bits: 0,
            copies: ALONE,
        };
        // Its module removes what is not live, so not even an option can bring it elsewhere.
        if !index.is_definition(node) || !liveness.live[node] {
            return nothing;
        }
        let linkage = index.linkage(node);
        match index.body(node) {
            Body::Declaration(_) => nothing,
            Body::Alias(_) => Facts { kind: Kind::Alias, verdict: Verdict::Alias, ..nothing },
            Body::Variable(variable) => {
                let verdict = variable_verdict(
                    policy,
                    linkage,
                    index.address_space(node),
                    variable,
                    is_movable(node),
                );
                let edges = variable.references().iter();
                let mut named = edges.filter_map(|&edge| index.provider(edge as usize));
                Facts {
                    kind: Kind::Variable,
                    cost: u32::try_from(variable.size()).unwrap_or(u32::MAX),
                    verdict,
                    bits: bit(
                        LISTS_FUNCTIONS,
                        verdict == Verdict::Constant
                            && named.any(|target| index.is_function(target)),
                    ),
                    ..nothing
                }
            }
            Body::Function(function) => {
                let flags = function.flags();
                let gpu = policy.model == ImportModel::Gpu;
                let priority = function.import_priority();
                Facts {
                    kind: Kind::Function,
                    cost: sizes.map_or(function.instruction_count(), |sizes| sizes.of(node)),
                    verdict: illegal(linkage, function, is_movable(node)),
                    bits: bit(NO_INLINE, flags.no_inline)
                        | bit(
                            FORCED,
                            flags.always_inline || gpu && priority == ImportPriority::Force,
                        )
                        | bit(LOW, gpu && priority == ImportPriority::Low),
                    ..nothing
                }
            }
        }
    };
    let of = |node: Node| {
        let mut facts = judged(node);
        facts.bits |= bit(PREVAILS, index.prevails(node)) | bit(COPYABLE, index.is_copyable(node));
        facts
    };
    (0..index.len()).into_par_iter().map(of).collect()
}

/// Why a function must not be imported, whatever it costs.
fn illegal(linkage: Linkage, function: Function<'_>, is_movable: bool) -> Verdict {
    let flags = function.flags();
    if flags.kernel {
        Verdict::Kernel
    } else if is_replaceable(linkage) {
        Verdict::Interposable
    } else if flags.not_importable || !is_movable {
        Verdict::NotImportable
    } else {
        Verdict::Undecided
    }
}

/// What becomes of a variable.
fn variable_verdict(
    policy: &ImportPolicy,
    linkage: Linkage,
    address_space: u32,
    variable: Variable<'_>,
    is_movable: bool,
) -> Verdict {
    let is_constant = variable.constant()
        && !variable.externally_initialized()
        && matches!(address_space, 0 | 1 | 4);
    if !is_constant {
        Verdict::NotConstant
    } else if linkage.is_interposable() {
        Verdict::Interposable
    } else if !is_movable {
        Verdict::NotImportable
    } else if !policy.constants_with_refs && !variable.references().is_empty() {
        Verdict::ConstantWithReferences
    } else if policy.model == ImportModel::Gpu && variable.size() > VARIABLE_SIZE_LIMIT {
        Verdict::TooLarge
    } else {
        Verdict::Constant
    }
}

impl Facts {
    /// Whether references to its name bind to it.
    pub(super) fn prevails(self) -> bool {
        self.bits & PREVAILS != 0
    }

    /// Whether importers take a copy in place of a reference.
    pub(super) fn is_copyable(self) -> bool {
        self.bits & COPYABLE != 0
    }

    /// Whether it is a constant that every module can look into, with addresses of functions in it.
    pub(super) fn lists_functions(self) -> bool {
        self.bits & LISTS_FUNCTIONS != 0
    }

    /// Whether it is a function whose body can be in any module.
    pub(super) fn is_code(self) -> bool {
        self.kind == Kind::Function && self.verdict == Verdict::Undecided
    }

    /// Whether a function is `noinline`, or larger than `limit` and not inlined at all costs.
    pub(super) fn stays_a_function(self, limit: u32) -> bool {
        self.bits & NO_INLINE != 0 || self.cost > limit && self.bits & FORCED == 0
    }

    /// The least threshold at which it is imported; the largest number if it never is. Only for
    /// LLVM's model, which knows no low priority.
    fn least_threshold(self, force_all: bool) -> u32 {
        if self.verdict != Verdict::Undecided {
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
    pub(super) fn is_forced(self) -> bool {
        self.bits & FORCED != 0
    }

    /// Whether a function is imported at `threshold`, and why.
    pub(super) fn weigh(self, force_all: bool, threshold: u32) -> Verdict {
        let threshold = if self.bits & LOW != 0 { threshold / GENEROUS } else { threshold };
        if self.verdict != Verdict::Undecided {
            self.verdict
        } else if force_all {
            Verdict::Forced
        } else if self.cost > threshold && self.bits & FORCED == 0 {
            Verdict::TooLarge
        } else if self.bits & NO_INLINE != 0 {
            Verdict::NoInline
        } else if self.cost > threshold {
            Verdict::Forced
        } else {
            Verdict::Fits
        }
    }
}

impl Shared<'_, '_> {
    /// What becomes of the function that `provider` prevails for, at `threshold`.
    pub(super) fn judge(&self, provider: Node, threshold: u32) -> Judgement {
        let judge = |copy: Node| self.judge_copy(copy, threshold);
        // LLVM takes the first copy that fits, and else says what is wrong with the last one that size
        // or `noinline` kept out.
        let Some(copies) = self.copies.get(self.facts[provider].copies as usize) else {
            return judge(provider);
        };
        if threshold < copies.least {
            return judge(copies.refused as usize);
        }
        if let Some(first) = copies.first {
            return judge(first as usize);
        }
        let all = self.index.definitions(provider).iter();
        let fitting = all.map(|&it| judge(it as usize)).find(|it| it.verdict.is_import());
        fitting.unwrap_or_else(|| judge(copies.refused as usize))
    }

    fn judge_copy(&self, copy: Node, threshold: u32) -> Judgement {
        let facts = self.facts[copy];
        let verdict = facts.weigh(self.policy.force_all, threshold);
        Judgement { copy, cost: facts.cost, is_function: facts.kind == Kind::Function, verdict }
    }

    /// The functions that the constant at `table` lists.
    pub(super) fn listed_functions(&self, table: Node) -> impl Iterator<Item = Node> + '_ {
        let listed = match self.index.body(table) {
            Body::Variable(variable) => variable.references(),
            Body::Function(_) | Body::Alias(_) | Body::Declaration(_) => &[],
        };
        let targets = listed.iter().filter_map(|&it| self.index.provider(it as usize));
        targets.filter(|&target| self.index.is_function(target))
    }
}

/// An external, ODR, internal or inspection copy says what the symbol means. Of the others another
/// one may prevail. Arrays that are appended are no functions.
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
