//! The imports of one module.

use std::collections::BTreeSet;
use std::mem::take;

use weft_artifact::SymbolIndex;

use super::decision::{Class, Decision, Offer, Pass, class};
use super::describe::describe;
use super::ledger::Ledger;
use super::prediction::Prediction;
use super::record::record;
use super::result::Imports;
use super::scratch::{Entry, Lists, Note, Scratch, cleared};
use super::shared::Shared;
use super::threshold;
use super::work::Work;
use crate::candidates::{CandidateKind, ImportOutcome, call_cost};
use crate::model::ids::{ModuleIndex, NodeId, NodeRange};
use crate::model::index::{Index, Role};
use crate::model::policy::{ImportModel, Printed};
use crate::model::program::{Call, Function};

/// A function that an indirect call of `caller` may lead to.
#[derive(Clone, Copy)]
struct Target {
    function: NodeId,
    caller: Work,
}

pub(super) struct Walk<'a, 'units> {
    shared: &'a Shared<'a, 'units>,
    index: &'a Index<'units>,
    module: ModuleIndex,
    /// Nodes of the module.
    nodes: NodeRange,
    /// The only functions that the module imports, if the workload definition lists them.
    list: Option<&'a BTreeSet<NodeId>>,
    ledger: Ledger<'a, 'units>,
    /// Definitions that must be visible to the module.
    needed: Vec<NodeId>,
    /// Candidates with the positions of their decisions, in the end sorted.
    order: Vec<u64>,
    /// Memory in which the record of decisions is made.
    record: Vec<u8>,
    targets: Vec<Target>,
    /// The body with indirect calls whose callees have the highest import limit.
    indirect_caller: Option<Work>,
    /// Constants with addresses of functions that a body names.
    tables: Vec<NodeId>,
    /// Callees of calls that no body contains.
    distant: Vec<NodeId>,
    imports: Imports,
}

impl<'a, 'units> Walk<'a, 'units> {
    pub(super) fn new(
        shared: &'a Shared<'a, 'units>,
        module: ModuleIndex,
        scratch: &'a mut Scratch,
    ) -> Self {
        let lists = &mut scratch.lists;
        let (needed, order) = (take(&mut lists.needed), take(&mut lists.order));
        let record = take(&mut lists.record);
        Self {
            shared,
            index: shared.index,
            module,
            nodes: shared.index.nodes(module),
            list: shared.workload.list(module),
            ledger: Ledger::new(shared, module, scratch),
            needed,
            order,
            record,
            targets: Vec::new(),
            indirect_caller: None,
            tables: Vec::new(),
            distant: Vec::new(),
            imports: Imports::default(),
        }
    }

    pub(super) fn run(mut self) -> Imports {
        if let Some(budgets) = &self.shared.budgets {
            Prediction::run(self.shared, budgets, self.module, self.ledger.scratch);
        }
        self.note_own_bodies();
        self.ledger.scratch.set_local(self.shared.closing.copies(self.module));
        self.visit_own_bodies();
        if let Some(list) = self.list {
            for &function in list {
                self.take(function, ImportOutcome::Listed);
            }
        }
        self.visit_imported_bodies();
        self.speculate();
        self.visit_imported_bodies();
        if self.shared.policy.all_index {
            self.take_all();
            self.visit_imported_bodies();
        }
        self.finish()
    }

    fn visit_own_bodies(&mut self) {
        for node in self.nodes.clone() {
            // The import phase erases lists of symbols, so nothing is needed for them.
            let is_visited = self.shared.closing.stays(node)
                && self.index.may_be_used(node)
                && !self.index.is_listing(node);
            if is_visited {
                let base = threshold::of_own_body(self.shared.policy, self.index.is_kernel(node));
                self.visit(&Work { node, base, level: 1, pass: Pass::Direct });
            }
        }
        self.ledger.spend_budget();
    }

    /// Visits the bodies level by level, or the last one first where LLVM is to be reproduced.
    fn visit_imported_bodies(&mut self) {
        match self.shared.policy.model {
            ImportModel::Llvm => {
                while let Some(work) = self.ledger.work.pop() {
                    self.visit(&work);
                }
            }
            ImportModel::Gpu => {
                while !self.ledger.work.is_empty() {
                    for work in take(&mut self.ledger.work) {
                        self.visit(&work);
                    }
                    self.ledger.spend_budget();
                }
            }
        }
    }

    /// Visits all symbols that the body at `work` names.
    fn visit(&mut self, work: &Work) {
        if let Some(function) = self.index.function(work.node) {
            self.visit_function(work, function);
        } else if let Some(variable) = self.index.variable(work.node) {
            for &target in variable.references() {
                self.refer(target, work);
            }
        } else if let Some(target) = self.index.alias_target(work.node) {
            self.refer(self.index.provider(target).unwrap_or(target), work);
        }
    }

    fn visit_function(&mut self, work: &Work, function: Function<'_>) {
        for call in function.calls() {
            let class = class(call, function);
            self.call(call.callee(), call, class, work);
        }
        for target in self.shared.virtual_calls.targets(function) {
            let call = Call::of(&weft_artifact::Call::once(SymbolIndex(0)));
            self.call(target, &call, Class::Normal, work);
        }
        for target in self.shared.virtual_calls.tested(function) {
            self.refer(target, work);
        }
        for &(target, class) in self.shared.distant_calls.of(work.node) {
            self.call_distant(target, class, work);
        }
        let speculates = self.shared.policy.model == ImportModel::Gpu;
        let calls_indirectly = speculates && function.calls_indirectly();
        if calls_indirectly && self.indirect_caller.is_none_or(|caller| caller.base < work.base) {
            self.indirect_caller = Some(*work);
        }
        for &target in function.references() {
            self.refer(target, work);
            let Some(provider) = self.index.provider(target).filter(|_| speculates) else {
                continue;
            };
            let facts = self.shared.candidates.facts(provider);
            if facts.lists_functions() {
                self.tables.push(provider);
            } else if calls_indirectly && facts.kind == CandidateKind::Function {
                self.targets.push(Target { function: provider, caller: *work });
            }
        }
    }

    /// Handles a call of the symbol at `edge` in this module. Most callees have a body here, too.
    #[expect(clippy::inline_always, reason = "it is less than a call, and there are millions")]
    #[inline(always)]
    fn call(&mut self, edge: NodeId, call: &Call, class: Class, caller: &Work) {
        if self.nodes.contains(edge) {
            return;
        }
        let (entry, note) = self.ledger.scratch.look_up(edge);
        if note.is_local() {
            if note.slot().is_none() && !note.is_own() {
                self.copy(edge, entry, caller);
            }
            return;
        }
        let Some(note) = self.needed(edge, entry, note, caller) else { return };
        if !note.is_own() && self.list.is_none() {
            self.call_foreign((edge, entry, note.slot()), call, class, caller);
        }
    }

    /// Gives the module its own copy of the function at `edge`.
    #[inline(never)]
    fn copy(&mut self, edge: NodeId, entry: Entry, caller: &Work) {
        let facts = self.shared.candidates.facts(edge);
        let offer = Offer {
            caller: caller.node,
            threshold: caller.base,
            level: caller.level,
            class: Class::Normal,
            pass: caller.pass,
        };
        let mut decision = Decision::new(edge, &offer);
        (decision.outcome, decision.cost) = (ImportOutcome::Copied, facts.cost);
        decision.is_function = true;
        let slot = self.ledger.new_slot(entry, decision, caller.base);
        self.ledger.enqueue(slot, &offer);
    }

    /// Handles a call that the body does not contain. Unlike a call by name, it makes the function
    /// needed only if that is imported, which is known at the end.
    fn call_distant(&mut self, target: NodeId, class: Class, caller: &Work) {
        let (entry, note) = self.ledger.scratch.look_up(target);
        let has_it = self.nodes.contains(target) || note.is_own() || note.is_local();
        let may_import = self.shared.closing.may_import(self.module, target);
        if has_it || !may_import || self.list.is_some() {
            return;
        }
        self.distant.push(target);
        let call = Call::of(&weft_artifact::Call::once(SymbolIndex(0)));
        self.call_foreign((target, entry, note.slot()), &call, class, caller);
    }

    /// Handles a call of a function in another module. Such calls are rare, so this is a separate
    /// function.
    #[inline(never)]
    fn call_foreign(
        &mut self,
        (edge, entry, slot): (NodeId, Entry, Option<usize>),
        call: &Call,
        class: Class,
        caller: &Work,
    ) {
        let policy = self.shared.policy;
        let gain = match policy.model {
            ImportModel::Gpu if class != Class::Cold => call_cost::gain(call),
            ImportModel::Gpu | ImportModel::Llvm => 0,
        };
        let threshold = threshold::at_call(policy, caller.base, class).saturating_add(gain);
        // To LLVM, a candidate that was met at a better call is done.
        if policy.model == ImportModel::Llvm
            && let Some(slot) = slot
            && threshold <= self.ledger.decisions[slot].threshold
        {
            self.ledger.decisions[slot].meet();
            return;
        }
        let offer =
            Offer { caller: caller.node, threshold, level: caller.level, class, pass: caller.pass };
        let below = threshold::below(policy, caller.base, class);
        match self.shared.candidates.facts(edge).kind {
            CandidateKind::Variable | CandidateKind::None => {}
            CandidateKind::Function | CandidateKind::Alias => {
                self.ledger.offer(edge, (entry, slot), &offer, below);
            }
        }
    }

    /// Handles a reference to the symbol at `edge` in this module.
    fn refer(&mut self, edge: NodeId, from: &Work) {
        let Some((entry, note)) = self.foreign(edge, from) else { return };
        if note.is_own() || note.slot().is_some() {
            return;
        }
        let facts = self.shared.candidates.facts(edge);
        if facts.kind != CandidateKind::Variable {
            return;
        }
        // LLVM follows references of functions, and from there on references of imported variables.
        let own = self.nodes.contains(from.node);
        let llvm = self.shared.policy.model == ImportModel::Llvm;
        if llvm && own && !self.index.is_function(from.node) {
            return;
        }
        let offer = Offer {
            caller: from.node,
            threshold: 0,
            level: from.level,
            class: Class::Normal,
            pass: from.pass,
        };
        let mut decision = Decision::new(edge, &offer);
        (decision.outcome, decision.cost) = (facts.outcome, facts.cost);
        self.ledger.new_slot(entry, decision, 0);
        if facts.outcome == ImportOutcome::Constant {
            self.ledger.work.push(Work { node: edge, ..from.below() });
        }
    }

    /// Returns the notes about `edge` and their position, if another module has the symbol and it
    /// has to be visible here. Bodies name prevailing nodes, or else symbols of their own module
    /// without a prevailing definition.
    #[expect(clippy::inline_always, reason = "it is less than a call, and there are millions")]
    #[inline(always)]
    fn foreign(&mut self, edge: NodeId, from: &Work) -> Option<(Entry, Note)> {
        if self.nodes.contains(edge) {
            return None;
        }
        let (entry, note) = self.ledger.scratch.look_up(edge);
        Some((entry, self.needed(edge, entry, note, from)?))
    }

    /// Returns the notes about `edge`, which another module has, if it has to be visible here.
    #[expect(clippy::inline_always, reason = "it is less than a call, and there are millions")]
    #[inline(always)]
    fn needed(&mut self, edge: NodeId, entry: Entry, note: Note, from: &Work) -> Option<Note> {
        let note = if note.is_needed() { note } else { self.need(edge, entry, from)? };
        (!note.is_copied()).then_some(note)
    }

    /// Handles the first mention of the symbol at `edge`.
    #[inline(never)]
    fn need(&mut self, edge: NodeId, entry: Entry, from: &Work) -> Option<Note> {
        let facts = self.shared.candidates.facts(edge);
        if !facts.prevails() {
            return None;
        }
        if facts.is_copyable() {
            self.ledger.work.push(Work { node: edge, ..from.below() });
        } else {
            self.needed.push(edge);
        }
        Some(self.ledger.scratch.need(entry, facts.is_copyable()))
    }

    /// Notes the names whose bodies the module keeps. In LLVM's model that includes bodies that
    /// will be replaced.
    fn note_own_bodies(&mut self) {
        let any = self.shared.policy.model == ImportModel::Llvm;
        for node in self.nodes.clone() {
            if !self.index.is_local(node)
                && self.index.is_definition(node)
                && (any || self.index.may_be_used(node) && self.shared.closing.stays(node))
            {
                let entry = self.ledger.scratch.entry(self.index.leader(node));
                self.ledger.scratch.set_own(entry);
            }
        }
    }

    /// Runs the last pass: possible targets of indirect calls, one level below their callers. Any
    /// body of the module may call the functions in a table: the body that names the table makes an
    /// object, and another one calls its methods.
    fn speculate(&mut self) {
        let mut targets = take(&mut self.targets);
        let mut tables = take(&mut self.tables);
        if let Some(caller) = self.indirect_caller {
            tables.sort_unstable();
            tables.dedup();
            for table in tables {
                let listed = self.shared.listed_functions(table);
                targets.extend(listed.map(|function| Target { function, caller }));
            }
        }
        for Target { function, caller } in targets {
            let (entry, note) = self.ledger.scratch.look_up(function);
            let may_import = self.shared.closing.may_import(self.module, function);
            if !self.nodes.contains(function) && !note.is_own() && may_import {
                let threshold = threshold::below(self.shared.policy, caller.base, Class::Normal);
                let offer = Offer {
                    caller: caller.node,
                    threshold,
                    level: caller.level,
                    class: Class::Normal,
                    pass: Pass::Speculative,
                };
                let below = threshold::below(self.shared.policy, threshold, Class::Normal);
                self.ledger.offer(function, (entry, note.slot()), &offer, below);
            }
        }
        self.ledger.spend_budget();
    }

    /// Imports every external function there is.
    fn take_all(&mut self) {
        for node in self.index.all_nodes() {
            if self.index.is_function(node) && self.index.role(node) == Role::Prevailing {
                self.take(node, ImportOutcome::Forced);
            }
        }
    }

    fn take(&mut self, function: NodeId, outcome: ImportOutcome) {
        let facts = self.shared.candidates.facts(function);
        let (entry, note) = self.ledger.scratch.look_up(function);
        if facts.kind != CandidateKind::Function || self.nodes.contains(function) || note.is_own() {
            return;
        }
        let offer = Offer {
            caller: function,
            threshold: 0,
            level: 1,
            class: Class::Normal,
            pass: Pass::Direct,
        };
        let slot = note.slot().unwrap_or_else(|| {
            let mut decision = Decision::new(function, &offer);
            decision.is_function = true;
            self.ledger.new_slot(entry, decision, 0)
        });
        if self.ledger.decisions[slot].is_import() {
            return;
        }
        self.ledger.decisions[slot].cost = facts.cost;
        self.ledger.decisions[slot].outcome = match facts.outcome {
            ImportOutcome::Undecided => outcome,
            illegal => illegal,
        };
        if self.ledger.decisions[slot].is_import() {
            if !note.is_needed() {
                self.ledger.scratch.need(entry, false);
                self.needed.push(function);
            }
            self.ledger.enqueue(slot, &offer);
        }
    }

    /// Adds the callees of calls that no body contains to the needed nodes, if they are imported.
    fn need_distant(&mut self) {
        for callee in take(&mut self.distant) {
            let (entry, note) = self.ledger.scratch.look_up(callee);
            let is_import = |slot: usize| self.ledger.decisions[slot].is_import();
            if !note.is_needed() && note.slot().is_some_and(is_import) {
                self.ledger.scratch.need(entry, false);
                self.needed.push(callee);
            }
        }
    }

    /// Puts the needed definitions whose bodies are imported first, and returns their number.
    fn divide_needed(&mut self) -> usize {
        let mut imported = 0;
        for place in 0..self.needed.len() {
            let (_, note) = self.ledger.scratch.look_up(self.needed[place]);
            if note.slot().is_some_and(|slot| self.ledger.decisions[slot].is_import()) {
                self.needed.swap(place, imported);
                imported += 1;
            }
        }
        imported
    }

    fn finish(mut self) -> Imports {
        self.need_distant();
        self.imports.needed_and_imported = self.divide_needed();
        self.ledger.scratch.clear();
        // Decisions are three times as large as their keys.
        let key = |(slot, decision): (usize, &Decision)| {
            u64::from(decision.callee().number()) << 32 | slot as u64
        };
        self.order.extend(self.ledger.decisions.iter().enumerate().map(key));
        self.order.sort_unstable();
        let slot = |key: &u64| usize::try_from(key & u64::from(u32::MAX)).unwrap_or_default();
        let sorted = self.order.iter().map(|key| &self.ledger.decisions[slot(key)]);
        let imported = sorted.clone().filter(|decision| decision.is_import());
        self.imports.imported = imported.map(Decision::callee).collect();
        self.imports.needed = self.needed.as_slice().into();
        self.imports.recorded = record(self.index, sorted.clone(), &mut self.record);
        if self.shared.policy.printed != Printed::default() {
            let policy = self.shared.policy;
            self.imports.lines =
                describe(self.index, self.module, &sorted.collect::<Vec<_>>(), policy);
        }
        self.ledger.scratch.lists = Lists {
            order: cleared(self.order),
            record: cleared(self.record),
            decisions: cleared(self.ledger.decisions),
            bases: cleared(self.ledger.bases),
            fitting: cleared(self.ledger.fitting),
            work: cleared(self.ledger.work),
            needed: cleared(self.needed),
        };
        self.imports
    }
}
