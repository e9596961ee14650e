//! The record of why each definition stays or goes, for people who ask later.
//!
//! Cost: each definition once, and each edge of what goes, in parallel by module.

use rayon::prelude::*;
use weft_artifact::{
    Decisions, Definition, ImportDecision, ModuleDecisions, RootReason, SymbolDecision, Verdict,
};

use crate::imports::Imports;
use crate::index::{Index, Module, Node};
use crate::liveness::Liveness;

/// No node.
const NOBODY: u32 = u32::MAX;

/// Records what was decided.
pub(crate) fn record(index: &Index<'_>, liveness: &Liveness, imports: &[Imports]) -> Decisions {
    let numbers = Numbers::new(index);
    let referrers = dead_referrers(index, liveness);
    let module = |module: Module| {
        let first = i64::from(numbers.first(module, index));
        let step = |node: Node| i64::from(numbers.of(node)) - first;
        let symbols = index.nodes(module).filter(|&node| index.symbol(node).is_definition());
        let symbols = symbols.map(|node| SymbolDecision {
            name: index.symbol(node).name.as_str(),
            verdict: verdict(index, liveness, referrers[node], node, step),
        });
        let imports = imports[module].imported.iter().map(|&node| ImportDecision {
            symbol: numbers.of(node),
            cost: index.symbol(node).function().map_or(0, |function| function.instruction_count),
            refusal: None,
            call: None,
        });
        ModuleDecisions::new(index.module_id(module).clone(), symbols, imports.collect())
    };
    Decisions { modules: (0..index.units.len()).into_par_iter().map(module).collect() }
}

fn verdict(
    index: &Index<'_>,
    liveness: &Liveness,
    referrer: u32,
    node: Node,
    step: impl Fn(Node) -> i64,
) -> Verdict {
    if !liveness.live[node] {
        return match referrer {
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

/// For each definition that goes, one that refers to it: the first.
fn dead_referrers(index: &Index<'_>, liveness: &Liveness) -> Vec<u32> {
    let mut referrers = vec![NOBODY; index.len()];
    for node in (0..index.len()).filter(|&node| !liveness.live[node]) {
        for edge in index.edges(node) {
            for definition in index.definitions(edge) {
                if referrers[definition] == NOBODY && definition != node {
                    referrers[definition] = u32::try_from(node).unwrap_or(NOBODY);
                }
            }
        }
    }
    referrers
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
            next += u32::from(index.symbol(node).is_definition());
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
