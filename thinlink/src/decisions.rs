//! The record of why each definition stays or goes, for people who ask later.
//!
//! Cost: each definition once, and each edge of what goes, in parallel by module.

use rayon::prelude::*;
use weft_artifact::{
    CallClass, Decisions, Definition, ImportCall, ImportDecision, ImportPass, ImportRefusal,
    ModuleDecisions, RootReason, SymbolDecision, Verdict,
};

use crate::imports::{self, Class, Imports, Pass};
use crate::index::{Index, Module, Node};
use crate::liveness::Liveness;

/// No node.
const NOBODY: u32 = u32::MAX;

/// Records what was decided.
pub(crate) fn record(index: &Index<'_>, liveness: &Liveness, imports: &[Imports]) -> Decisions {
    let numbers = Numbers::new(index);
    let referrers = DeadReferrers::new(index, liveness);
    let module = |module: Module| {
        let first = i64::from(numbers.first(module, index));
        let step = |node: Node| i64::from(numbers.of(node)) - first;
        let symbols = index.nodes(module).filter(|&node| index.is_definition(node));
        let symbols = symbols.map(|node| SymbolDecision {
            name: index.name(node),
            verdict: verdict(index, liveness, &referrers, node, step),
        });
        let candidates = imports[module].decisions.iter();
        let imports = candidates.filter_map(|decision| candidate(index, &numbers, decision));
        ModuleDecisions::new(index.module_id(module).clone(), symbols, imports)
    };
    Decisions { modules: (0..index.units.len()).into_par_iter().map(module).collect() }
}

/// What is recorded of a candidate for import. Which call was the best is known of those that a body
/// of the module calls or names, not of those that an option imports.
fn candidate(
    index: &Index<'_>,
    numbers: &Numbers,
    decision: &imports::Decision,
) -> Option<ImportDecision> {
    let function = index.function(decision.callee());
    let call = (decision.caller() != decision.callee()).then(|| ImportCall {
        caller: numbers.of(decision.caller()),
        level: u32::from(decision.level),
        threshold: decision.threshold,
        class: match decision.class {
            Class::Cold => CallClass::Cold,
            Class::Normal => CallClass::Default,
            Class::Hot => CallClass::Hot,
            Class::Critical => CallClass::Critical,
        },
        pass: match decision.pass {
            Pass::Direct => ImportPass::Direct,
            Pass::Transitive => ImportPass::Transitive,
            Pass::Speculative => ImportPass::Speculative,
        },
    });
    let is_stuck = function.is_none_or(|function| !function.flags().not_importable);
    let refusal = match decision.verdict {
        imports::Verdict::Undecided => return None,
        imports::Verdict::Fits
        | imports::Verdict::Forced
        | imports::Verdict::Constant
        | imports::Verdict::Listed => None,
        imports::Verdict::TooLarge if function.is_some() && decision.threshold == 0 => {
            Some(ImportRefusal::NotWorthIt)
        }
        imports::Verdict::TooLarge => Some(ImportRefusal::TooLarge),
        imports::Verdict::NoInline => Some(ImportRefusal::NoInline),
        imports::Verdict::Kernel => Some(ImportRefusal::Kernel),
        imports::Verdict::NotImportable if is_stuck => Some(ImportRefusal::NamesPinnedLocal),
        imports::Verdict::NotImportable => Some(ImportRefusal::NotImportable),
        imports::Verdict::Interposable => Some(ImportRefusal::Replaceable),
        imports::Verdict::Alias => Some(ImportRefusal::Alias),
        imports::Verdict::NotConstant => Some(ImportRefusal::NotConstant),
        imports::Verdict::ConstantWithReferences => Some(ImportRefusal::ConstantWithReferences),
        imports::Verdict::CutOff => Some(ImportRefusal::CutOff),
    };
    let cost = function.map_or(0, |_| decision.cost);
    Some(ImportDecision { symbol: numbers.of(decision.callee()), cost, refusal, call })
}

fn verdict(
    index: &Index<'_>,
    liveness: &Liveness,
    referrers: &DeadReferrers,
    node: Node,
    step: impl Fn(Node) -> i64,
) -> Verdict {
    if !liveness.live[node] {
        return match referrers.of(index, node) {
            NOBODY => Verdict::Unreferenced,
            referrer => Verdict::DeadWith(step(referrer as Node)),
        };
    }
    if let Some(provider) = index.provider(node).filter(|&provider| provider != node) {
        return Verdict::CopyOf(step(provider));
    }
    if let Some(reason) = liveness.reasons[node] {
        return Verdict::Root(reason);
    }
    match liveness.parents[node] {
        // Nothing reached it, so it is live because everything is.
        NOBODY => Verdict::Root(RootReason::NothingRemoved),
        parent => Verdict::Through(step(parent as Node)),
    }
}

/// For each definition that goes, one that refers to it: the first that is not itself.
struct DeadReferrers {
    /// Of each name, at its leader: the first two that refer to it, as one of them may be of that name
    /// itself.
    of_leaders: Vec<[u32; 2]>,
}

impl DeadReferrers {
    fn new(index: &Index<'_>, liveness: &Liveness) -> Self {
        let mut of_leaders = vec![[NOBODY; 2]; index.len()];
        for node in (0..index.len()).filter(|&node| !liveness.live[node]) {
            let referrer = u32::try_from(node).unwrap_or(NOBODY);
            index.for_each_edge(node, |edge| match &mut of_leaders[index.leader(edge)] {
                [first, _] if *first == NOBODY => *first = referrer,
                [first, second] if *second == NOBODY && *first != referrer => *second = referrer,
                _ => {}
            });
        }
        Self { of_leaders }
    }

    fn of(&self, index: &Index<'_>, node: Node) -> u32 {
        match self.of_leaders[index.leader(node)] {
            [first, second] if first as usize == node => second,
            [first, _] => first,
        }
    }
}

/// The numbers of definitions: nodes without declarations.
struct Numbers {
    /// By node: the number of definitions before it.
    before: Vec<Definition>,
}

impl Numbers {
    fn new(index: &Index<'_>) -> Self {
        let mut next = 0;
        let before = (0..index.len()).map(|node| {
            let number = next;
            next += u32::from(index.is_definition(node));
            number
        });
        Self { before: before.collect() }
    }

    fn of(&self, node: Node) -> Definition {
        self.before[node]
    }

    fn first(&self, module: Module, index: &Index<'_>) -> Definition {
        self.before.get(index.nodes(module).start).copied().unwrap_or(0)
    }
}
