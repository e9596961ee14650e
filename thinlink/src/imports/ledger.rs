//! The candidates of one walk with the decision about each, and the bodies to visit because of it.

use std::cmp::Reverse;
use std::mem::take;

use super::decision::{Decision, Offer, Pass};
use super::scratch::{Entry, Scratch};
use super::shared::Shared;
use super::work::Work;
use crate::candidates::ImportOutcome;

use crate::model::ids::{ModuleIndex, NodeId, number_of};
use crate::model::policy::ImportModel;

/// The decisions of one walk.
pub(super) struct Ledger<'a, 'units> {
    shared: &'a Shared<'a, 'units>,
    pub(super) scratch: &'a mut Scratch,
    pub(super) decisions: Vec<Decision>,
    /// For each decision, the highest import limit that applies to the candidate's callees.
    pub(super) bases: Vec<u32>,
    /// Positions of decisions of this level that fit, before the budget is applied.
    pub(super) fitting: Vec<usize>,
    /// Bodies to visit.
    pub(super) work: Vec<Work>,
    /// Number of functions that may still be imported.
    budget: u32,
}

impl<'a, 'units> Ledger<'a, 'units> {
    /// Returns an empty ledger, in lists that `scratch` lends.
    pub(super) fn new(
        shared: &'a Shared<'a, 'units>,
        module: ModuleIndex,
        scratch: &'a mut Scratch,
    ) -> Self {
        // Copies are functions that the module gets from others, too.
        let copies = number_of(shared.closing.copies(module).len());
        let budget = shared.policy.cutoff.map_or(u32::MAX, |cutoff| cutoff.saturating_sub(copies));
        let lists = &mut scratch.lists;
        Self {
            shared,
            decisions: take(&mut lists.decisions),
            bases: take(&mut lists.bases),
            fitting: take(&mut lists.fitting),
            work: take(&mut lists.work),
            budget,
            scratch,
        }
    }

    pub(super) fn new_slot(&mut self, entry: Entry, decision: Decision, base: u32) -> usize {
        let slot = self.decisions.len();
        self.scratch.set_slot(entry, slot);
        self.decisions.push(decision);
        self.bases.push(base);
        slot
    }

    /// Decides about a candidate, whether it is new or met again.
    pub(super) fn offer(
        &mut self,
        candidate: NodeId,
        (entry, slot): (Entry, Option<usize>),
        offer: &Offer,
        below: u32,
    ) {
        let slot = match slot {
            None => {
                let mut decision = Decision::new(candidate, offer);
                decision.judge(&self.shared.candidates.judge(
                    self.shared.index,
                    candidate,
                    offer.threshold,
                ));
                let slot = self.new_slot(entry, decision, below);
                return self.consider(slot, decision.is_import(), offer);
            }
            Some(slot) => {
                let decision = &mut self.decisions[slot];
                decision.meet();
                let higher = offer.threshold > decision.threshold;
                if higher {
                    decision.raise(offer);
                }
                let lower_base = match self.shared.policy.model {
                    ImportModel::Gpu => below <= self.bases[slot],
                    ImportModel::Llvm => !higher,
                };
                if decision.is_import() {
                    if !lower_base {
                        self.bases[slot] = below;
                        self.enqueue(slot, offer);
                    }
                    return;
                }
                if !higher || decision.outcome == ImportOutcome::CutOff {
                    self.bases[slot] = self.bases[slot].max(below);
                    return;
                }
                slot
            }
        };
        self.bases[slot] = match self.shared.policy.model {
            ImportModel::Gpu => self.bases[slot].max(below),
            ImportModel::Llvm => below,
        };
        let decision = &mut self.decisions[slot];
        decision.judge(&self.shared.candidates.judge(
            self.shared.index,
            candidate,
            offer.threshold,
        ));
        let is_import = decision.is_import();
        self.consider(slot, is_import, offer);
    }

    /// Accepts a candidate that fits. By Weft's model, it waits until all candidates of the level
    /// are known.
    fn consider(&mut self, slot: usize, is_import: bool, offer: &Offer) {
        match self.shared.policy.model {
            _ if !is_import => {}
            ImportModel::Gpu => self.fitting.push(slot),
            ImportModel::Llvm => self.accept(slot, offer),
        }
    }

    /// Spends the budget on the candidates that fit at this level: the hottest first, of equally
    /// hot ones the most important by profile, and then the smallest.
    pub(super) fn spend_budget(&mut self) {
        let mut fitting = take(&mut self.fitting);
        fitting.sort_unstable_by_key(|&slot| {
            let decision = &self.decisions[slot];
            let importance = self.shared.importance(decision.callee());
            (Reverse((decision.class, importance)), decision.cost, decision.callee())
        });
        fitting.dedup();
        for slot in fitting.drain(..) {
            let decision = self.decisions[slot];
            let offer = Offer {
                caller: decision.caller(),
                threshold: decision.threshold,
                level: decision.level,
                class: decision.class,
                pass: decision.pass,
            };
            self.accept(slot, &offer);
        }
        self.fitting = fitting;
    }

    fn accept(&mut self, slot: usize, offer: &Offer) {
        if !self.has_room(slot) {
            self.decisions[slot].outcome = ImportOutcome::BudgetSpent;
            return;
        }
        if self.budget == 0 {
            self.decisions[slot].outcome = ImportOutcome::CutOff;
            return;
        }
        self.budget -= 1;
        self.enqueue(slot, offer);
    }

    /// Whether the inliner will have room for the candidate in some function of the module. Targets
    /// of indirect calls are not predicted.
    fn has_room(&mut self, slot: usize) -> bool {
        let decision = &self.decisions[slot];
        let callee = decision.callee();
        self.shared.budgets.is_none()
            || decision.pass == Pass::Speculative
            || self.shared.candidates.facts(callee).is_forced()
            || self.scratch.look_up(callee).1.has_room()
    }

    pub(super) fn enqueue(&mut self, slot: usize, offer: &Offer) {
        let pass = match offer.pass {
            Pass::Direct => Pass::Transitive,
            later => later,
        };
        self.work.push(Work {
            node: self.decisions[slot].callee(),
            base: self.bases[slot],
            level: offer.level.saturating_add(1),
            pass,
        });
    }
}
