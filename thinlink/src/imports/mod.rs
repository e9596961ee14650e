//! Which bodies each module takes from others, and which definitions of others it therefore needs.
//!
//! For each module on its own, in three passes, so that a budget goes to the best first:
//!
//! 1. *direct*: what the module's own live code calls;
//! 2. *transitive*: what imported bodies call, with the limit multiplied by the evolution factor and
//!    truncated at each level;
//! 3. *speculative*: functions that a body with indirect calls refers to, and those that constant
//!    tables list which any body in the module names, once one has indirect calls: an object is made
//!    in one function and its virtual methods are called in another. They may turn out to be what is
//!    called.
//!
//! By Weft's own model, a body is imported only if the inliner will have room for it in some function of the module
//! ([`budget`]).
//!
//! A candidate that is met at several calls counts with the highest threshold ([`threshold`]). What
//! it costs depends on the model ([`policy`], [`size`], [`cost`]); what must not be imported whatever
//! it costs is in [`candidate`]. Read-only variables come along, so that loads fold and calls through
//! tables become direct; what their initialisers name counts as named by the module.
//!
//! Level by level, and within a level whatever the order, the result is determined by the index.
//! LLVM's model goes depth first instead, as LLVM does; where classes of calls are mixed, a candidate
//! can then miss a limit that only another order would have given it, there as here.
//!
//! Whatever a body in the module names and another module provides is *needed*: its owner must let
//! it be seen, which for a local means a global name. An imported symbol is itself needed, as the
//! importer's copy serves inlining only. Functions that the module has as copies of its own
//! ([`crate::closing`]) come along whatever they cost, and calls do not make them needed. Small constants whose address means nothing are copied
//! instead, and what their initialisers name is needed.
//!
//! Cost per module: its own edges and those of what it imports, as often as their threshold rises,
//! and a sort of the result. Nothing here grows with the number of other modules. The sizes of the
//! GPU's model take each symbol and each edge once, for all modules together.

mod budget;
mod candidate;
mod cost;
mod decision;
mod describe;
pub(crate) mod policy;
mod record;
mod scratch;
mod size;
mod threshold;
mod walk;
mod work;
mod workload;

use rayon::prelude::*;
use weft_artifact::ImportRecord;

use crate::closing::Closing;
use crate::devirtualise::Devirtualised;
use crate::index::{Index, Node};
use crate::link::Policy;
use crate::liveness::Liveness;
use budget::Budgets;
use candidate::{Copies, Facts};
use policy::{ImportModel, ImportPolicy};
use scratch::Scratch;
use size::Sizes;
use walk::Walk;
use workload::Workload;

/// What one module gets from others. The lists name definitions of other modules.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Imports {
    /// Definitions whose bodies are imported, sorted.
    pub(crate) imported: Box<[u32]>,
    /// Definitions that must be visible to this module, first those whose bodies are imported.
    pub(crate) needed: Box<[u32]>,
    /// How many those are.
    pub(crate) needed_and_imported: usize,
    /// What was decided of every candidate.
    pub(crate) recorded: ImportRecord,
    /// What is to be printed of that.
    pub(crate) lines: String,
}

/// What is known of each definition as something that other modules may get.
pub(crate) struct Candidates {
    facts: Vec<Facts>,
    /// Of names with several copies.
    copies: Vec<Copies>,
}

impl Candidates {
    /// Looks at all live definitions.
    pub(crate) fn new(index: &Index<'_>, liveness: &Liveness, policy: &ImportPolicy) -> Self {
        let sizes = (policy.model == ImportModel::Gpu).then(|| Sizes::new(index));
        let mut facts = candidate::facts(index, liveness, policy, sizes.as_ref());
        let copies = candidate::copies(index, policy, &mut facts);
        Self { facts, copies }
    }

    /// Whether the definition at `node` is a function whose body can be in any module.
    pub(crate) fn is_code(&self, node: Node) -> bool {
        self.facts[node].is_code()
    }

    /// Whether the definition at `node` is a constant that every module can look into, with addresses of
    /// functions in it.
    pub(crate) fn lists_functions(&self, node: Node) -> bool {
        self.facts[node].lists_functions()
    }

    /// Whether the function at `node` will hardly be inlined: it is `noinline`, or larger than `limit`
    /// instructions with what will be inlined into it.
    pub(crate) fn stays_a_function(&self, node: Node, limit: u32) -> bool {
        self.facts[node].stays_a_function(limit)
    }
}

/// What the walks of all modules share.
struct Shared<'a, 'units> {
    index: &'a Index<'units>,
    policy: &'a ImportPolicy,
    /// What bodies call besides their direct calls.
    virtual_calls: &'a Devirtualised,
    /// Of every node.
    facts: &'a [Facts],
    /// Of names with several copies.
    copies: &'a [Copies],
    closing: &'a Closing,
    workload: Workload,
    /// What the inliner has room for, where imports go by that.
    budgets: Option<Budgets>,
}

/// The imports of every module, in module order.
pub(crate) fn plan(
    index: &Index<'_>,
    liveness: &Liveness,
    candidates: &Candidates,
    closing: &Closing,
    policy: &Policy,
) -> Vec<Imports> {
    let policy = &policy.imports;
    let Candidates { facts, copies } = candidates;
    let workload = Workload::new(index, policy);
    let virtual_calls = &liveness.virtual_calls;
    let budgets = policy.goes_by_budgets().then(|| Budgets::new(index, facts));
    let shared = Shared { index, policy, virtual_calls, facts, copies, closing, workload, budgets };
    (0..index.units.len())
        .into_par_iter()
        .map_init(Scratch::new, |scratch, module| Walk::new(&shared, module, scratch).run())
        .collect()
}
