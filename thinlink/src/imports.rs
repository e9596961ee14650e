//! Which bodies each module takes from others, and which definitions of others it therefore needs.
//!
//! For each module on its own: its code calls functions that prevail elsewhere. One that is small
//! enough for the limit is imported; what an imported function calls is looked at in turn, with the
//! limit multiplied by the evolution factor and truncated. A function reached on several ways counts
//! with the highest limit. Read-only variables of moderate size come along, so that loads fold and
//! calls through tables become direct; what their initialisers name counts as named by the module.
//!
//! The limit depends on the level alone and never grows, so visiting level by level (first in, first
//! out) meets each function at its highest limit first: one visit is enough, and whatever the order
//! within a level, the result is a set that the index determines.
//!
//! Whatever a body in the module names and another module provides is *needed*: its owner must let
//! it be seen, which for a local means a global name. An imported symbol is itself needed, as the
//! importer's copy serves inlining only. Small constants whose address means nothing are copied
//! instead, and what their initialisers name is needed.
//!
//! Cost per module: its own edges and those of what it imports, once each, and a sort of the result.
//! Nothing here grows with the number of other modules.

use std::collections::VecDeque;

use rayon::prelude::*;
use weft_artifact::Body;

use crate::devirtualise::Devirtualised;
use crate::index::{Index, Module, Node, Standing};
use crate::link::Policy;
use crate::liveness::Liveness;

/// Largest variable, in bytes, whose initialiser is imported. Above it the bitcode that importers
/// carry outweighs the loads that fold; virtual tables and coefficient tables are far below.
const VARIABLE_SIZE_LIMIT: u64 = 4096;

/// What one module gets from others. Both lists are sorted and name definitions of other modules.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Imports {
    /// Definitions whose bodies are imported.
    pub(crate) imported: Vec<Node>,
    /// Definitions that must be visible to this module.
    pub(crate) needed: Vec<Node>,
}

/// The imports of every module, in module order.
pub(crate) fn plan(index: &Index<'_>, liveness: &Liveness, policy: &Policy) -> Vec<Imports> {
    let stuck = stuck_locals(index, liveness);
    (0..index.units.len())
        .into_par_iter()
        .map_init(
            || Marks::new(index.len()),
            |marks, module| {
                let mut walk = Walk {
                    index,
                    stuck: &stuck,
                    virtual_calls: &liveness.virtual_calls,
                    policy,
                    module,
                    marks,
                    bodies: VecDeque::new(),
                    imports: Imports::default(),
                };
                walk.visit_own_bodies(liveness);
                walk.visit_imported_bodies();
                walk.finish()
            },
        )
        .collect()
}

/// Locals that no other module can refer to, as their name has a meaning of its own, and copyable
/// locals whose initialisers lead to one. A body that names one stays in its module.
fn stuck_locals(index: &Index<'_>, liveness: &Liveness) -> Vec<bool> {
    let mut stuck: Vec<bool> = (0..index.len())
        .map(|node| index.is_local(node) && liveness.fixed[node] && index.copyable(node).is_none())
        .collect();
    for module in 0..index.units.len() {
        let nodes = index.nodes(module);
        let mut changed = stuck[nodes.clone()].contains(&true);
        while changed {
            changed = false;
            for node in nodes.clone().filter(|&node| index.copyable(node).is_some()) {
                if !stuck[node] && index.edges(node).any(|edge| stuck[edge]) {
                    stuck[node] = true;
                    changed = true;
                }
            }
        }
    }
    stuck
}

/// One thread's scratch facts about nodes, cleared between modules at the cost of what was marked.
struct Marks {
    needed: Vec<bool>,
    /// A function or variable whose body was put on the list.
    listed: Vec<bool>,
    marked: Vec<Node>,
}

impl Marks {
    fn new(nodes: usize) -> Self {
        Self { needed: vec![false; nodes], listed: vec![false; nodes], marked: Vec::new() }
    }

    fn clear(&mut self) {
        for node in self.marked.drain(..) {
            self.needed[node] = false;
            self.listed[node] = false;
        }
    }
}

struct Walk<'a, 'units> {
    index: &'a Index<'units>,
    stuck: &'a [bool],
    virtual_calls: &'a Devirtualised,
    policy: &'a Policy,
    module: Module,
    marks: &'a mut Marks,
    /// Imported and copied bodies yet to visit, with the limit for what they call.
    bodies: VecDeque<(Node, u32)>,
    imports: Imports,
}

impl Walk<'_, '_> {
    fn visit_own_bodies(&mut self, liveness: &Liveness) {
        for node in self.index.nodes(self.module) {
            if liveness.live[node] && self.index.standing(node) != Standing::Dropped {
                self.visit(node, self.policy.import_limit);
            }
        }
    }

    fn visit_imported_bodies(&mut self) {
        while let Some((node, limit)) = self.bodies.pop_front() {
            self.visit(node, limit);
        }
    }

    /// Looks at all that the body at `node` names. It calls functions at `limit`.
    fn visit(&mut self, node: Node, limit: u32) {
        match &self.index.symbol(node).body {
            Body::Declaration(_) => {}
            Body::Function(function) => {
                for call in &function.calls {
                    self.reach(self.index.sibling(node, call.callee), Some(limit));
                }
                for target in self.virtual_calls.targets(function) {
                    self.reach(target, Some(limit));
                }
                for reference in &function.references {
                    self.reach(self.index.sibling(node, reference.target), None);
                }
            }
            Body::Variable(variable) => {
                for &reference in &variable.references {
                    self.reach(self.index.sibling(node, reference), None);
                }
            }
            Body::Alias(alias) => self.reach(self.index.sibling(node, alias.target), None),
        }
    }

    /// A body in this module calls the symbol at `edge`, at `limit`, or else refers to it.
    fn reach(&mut self, edge: Node, limit: Option<u32>) {
        let Some(provider) = self.index.provider(edge) else { return };
        if self.index.module(provider) == self.module {
            return;
        }
        if self.index.copyable(provider).is_some() {
            self.list(provider, 0);
            return;
        }
        if !self.marks.needed[provider] {
            self.marks.needed[provider] = true;
            self.marks.marked.push(provider);
            self.imports.needed.push(provider);
        }
        if self.index.has_own_body(self.module, edge) {
            return;
        }
        let next = match limit {
            Some(limit) if self.is_importable_function(provider, limit) => {
                evolve(limit, self.policy.evolution_factor)
            }
            _ if self.is_importable_variable(provider) => 0,
            _ => return,
        };
        if self.list(provider, next) {
            self.imports.imported.push(provider);
        }
    }

    /// Puts a body on the list, once. Says whether it was not there before.
    fn list(&mut self, node: Node, limit: u32) -> bool {
        let new = !self.marks.listed[node];
        if new {
            self.marks.listed[node] = true;
            self.marks.marked.push(node);
            self.bodies.push_back((node, limit));
        }
        new
    }

    fn is_importable_function(&self, node: Node, limit: u32) -> bool {
        let symbol = self.index.symbol(node);
        symbol.function().is_some_and(|function| {
            !function.flags.kernel
                && !function.flags.not_importable
                && !function.flags.no_inline
                && !symbol.linkage.is_interposable()
                && (function.instruction_count <= limit || function.flags.always_inline)
        }) && self.is_movable(node)
    }

    fn is_importable_variable(&self, node: Node) -> bool {
        let symbol = self.index.symbol(node);
        symbol.variable().is_some_and(|variable| {
            variable.constant
                && !variable.externally_initialized
                && matches!(symbol.address_space, 0 | 1 | 4)
                && variable.size <= VARIABLE_SIZE_LIMIT
                && !symbol.linkage.is_interposable()
        }) && self.is_movable(node)
    }

    fn is_movable(&self, node: Node) -> bool {
        !self.stuck[node] && !self.index.edges(node).any(|edge| self.stuck[edge])
    }

    fn finish(mut self) -> Imports {
        self.marks.clear();
        self.imports.imported.sort_unstable();
        self.imports.needed.sort_unstable();
        self.imports
    }
}

/// The limit one level of calls further on, in single precision like LLVM's: 1000, 700, 490, 343.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "single precision and truncation are the definition; the product is not negative"
)]
fn evolve(limit: u32, factor: f32) -> u32 {
    // Above 2^24 single precision may round up, and a limit that grows would not end on a cycle.
    ((limit as f32 * factor) as u32).min(limit)
}

#[cfg(test)]
mod tests {
    use super::evolve;

    #[test]
    fn the_limit_decays_by_truncated_single_precision_products() {
        let limits: Vec<u32> =
            std::iter::successors(Some(1000), |&limit| Some(evolve(limit, 0.7))).take(5).collect();
        assert_eq!(limits, [1000, 700, 490, 343, 240]);
        assert_eq!(evolve(u32::MAX, 1.0), u32::MAX);
        assert_eq!(evolve((1 << 24) + 3, 1.0), (1 << 24) + 3);
        assert_eq!(evolve(1, 0.7), 0);
    }
}
