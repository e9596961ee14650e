//! Which definitions may be imported at all, and which of them fit.

use weft_artifact::{ImportPriority, Linkage};

use super::Shared;
use super::decision::Verdict;
use super::policy::ImportModel;
use crate::index::{Index, Node};
use crate::liveness::Liveness;
use crate::program::{Body, Function, Symbol, Variable};

/// Largest variable, in bytes, whose initialiser is imported. Above it the bitcode that importers
/// carry outweighs the loads that fold; virtual tables and coefficient tables are far below.
const VARIABLE_SIZE_LIMIT: u64 = 4096;

/// A function of low priority is imported when the threshold is that many times what it costs.
const GENEROUS: u32 = 10;

/// A copy of a candidate, with what it costs and what follows from that.
pub(super) struct Judgement {
    pub(super) copy: Node,
    pub(super) cost: u32,
    pub(super) verdict: Verdict,
}

/// Locals that no other module can refer to, as their name has a meaning of its own, and copyable
/// locals whose initialisers lead to one. A body that names one stays in its module.
pub(super) fn stuck_locals(index: &Index<'_>, liveness: &Liveness) -> Vec<bool> {
    let mut stuck: Vec<bool> = (0..index.len())
        .map(|node| index.is_local(node) && liveness.fixed[node] && index.copyable(node).is_none())
        .collect();
    for module in 0..index.units.len() {
        let nodes = index.nodes(module);
        let mut changed = stuck[nodes.clone()].contains(&true);
        while changed {
            changed = false;
            for node in nodes.clone().filter(|&node| index.copyable(node).is_some()) {
                if !stuck[node] && index.any_edge(node, |edge| stuck[edge]) {
                    stuck[node] = true;
                    changed = true;
                }
            }
        }
    }
    stuck
}

impl Shared<'_, '_> {
    /// What becomes of the function that `provider` prevails for, at `threshold`.
    pub(super) fn judge_function(&self, provider: Node, threshold: u32) -> Judgement {
        if self.policy.model == ImportModel::Gpu {
            return self.judge_copy(provider, threshold);
        }
        // LLVM takes the first copy that fits, and else says what is wrong with the last one.
        let copies = self.index.name(provider).map_or(&[][..], |name| self.index.copies(name));
        let mut last = None;
        for &copy in copies {
            let judgement = self.judge_copy(copy as usize, threshold);
            if matches!(judgement.verdict, Verdict::Fits | Verdict::Forced) {
                return judgement;
            }
            last = Some(judgement);
        }
        last.unwrap_or_else(|| self.judge_copy(provider, threshold))
    }

    fn judge_copy(&self, copy: Node, threshold: u32) -> Judgement {
        let symbol = self.index.symbol(copy);
        let Some(function) = symbol.function() else {
            return Judgement { copy, cost: 0, verdict: Verdict::Alias };
        };
        let cost = match self.sizes.as_ref() {
            Some(sizes) => sizes.of(copy),
            None => function.instruction_count,
        };
        let verdict = self.illegal(copy, &symbol, function);
        let verdict = verdict.unwrap_or_else(|| self.weigh(function, cost, threshold));
        Judgement { copy, cost, verdict }
    }

    /// Why a function must not be imported, whatever it costs.
    pub(super) fn illegal(
        &self,
        node: Node,
        symbol: &Symbol<'_>,
        function: Function<'_>,
    ) -> Option<Verdict> {
        let flags = function.flags;
        if flags.kernel {
            Some(Verdict::Kernel)
        } else if is_replaceable(symbol.linkage) {
            Some(Verdict::Interposable)
        } else if flags.not_importable || !self.is_movable(node) {
            Some(Verdict::NotImportable)
        } else {
            None
        }
    }

    /// Whether a function that may be imported is.
    fn weigh(&self, function: Function<'_>, cost: u32, threshold: u32) -> Verdict {
        let flags = function.flags;
        if self.policy.force_all {
            return Verdict::Forced;
        }
        let is_forced = match self.policy.model {
            ImportModel::Gpu => function.import_priority == ImportPriority::Force,
            ImportModel::Llvm => false,
        };
        let threshold = match (self.policy.model, function.import_priority) {
            (ImportModel::Gpu, ImportPriority::Low) => threshold / GENEROUS,
            _ => threshold,
        };
        if cost > threshold && !flags.always_inline && !is_forced {
            Verdict::TooLarge
        } else if flags.no_inline {
            Verdict::NoInline
        } else if cost > threshold {
            Verdict::Forced
        } else {
            Verdict::Fits
        }
    }

    /// What becomes of the variable at `node`.
    pub(super) fn judge_variable(&self, node: Node, variable: Variable<'_>) -> Verdict {
        let symbol = self.index.symbol(node);
        let is_constant = variable.constant
            && !variable.externally_initialized
            && matches!(symbol.address_space, 0 | 1 | 4);
        if !is_constant {
            Verdict::NotConstant
        } else if symbol.linkage.is_interposable() {
            Verdict::Interposable
        } else if !self.is_movable(node) {
            Verdict::NotImportable
        } else if !self.policy.constants_with_refs && !variable.references.is_empty() {
            Verdict::ConstantWithReferences
        } else if self.policy.model == ImportModel::Gpu && variable.size > VARIABLE_SIZE_LIMIT {
            Verdict::TooLarge
        } else {
            Verdict::Constant
        }
    }

    fn is_movable(&self, node: Node) -> bool {
        !self.stuck[node] && !self.index.any_edge(node, |edge| self.stuck[edge])
    }

    /// The functions that a table lists or a reference names, as targets of indirect calls.
    pub(super) fn possible_targets(&self, reference: Node, mut each: impl FnMut(Node)) {
        let Some(provider) = self.index.provider(reference) else { return };
        match self.index.symbol(provider).body {
            Body::Function(_) => each(provider),
            Body::Variable(variable) if variable.constant => {
                for &target in variable.references {
                    let target = self.index.provider(self.index.sibling(provider, target));
                    if let Some(function) = target.filter(|&it| self.index.is_function(it)) {
                        each(function);
                    }
                }
            }
            Body::Variable(_) | Body::Alias(_) | Body::Declaration(_) => {}
        }
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
