//! One run of the inliner over a module: asks the model, keeps the budgets, notes what was decided.

use std::collections::BTreeMap;
use std::ffi::c_void;

use super::decision::InlineDecision;
use super::imported::{self, ImportedBodies};
use super::options::{InlineModel, InlineOptions};
use super::report::InlineReport;
use super::shim::{Asker, CallFacts};
use super::site::{Demand, Role, Site, body};
use super::verdict::{InlineReason, Spent, Verdict};
use super::{gpu, nvidia};
use crate::handles::{Call, Function};

/// LLVM's attribute of calls with the reason why they were not inlined.
const REMARK: &str = "inline-remark";

/// The state of a run.
pub(super) struct Session {
    options: InlineOptions,
    /// Growth of each function by inlining, by its name.
    spent: BTreeMap<String, u64>,
    spent_in_module: u64,
    /// Instructions of each caller when it was met first.
    instructions: BTreeMap<String, u32>,
    /// The decision that LLVM is carrying out, and its charge.
    pending: Option<(InlineDecision, u64)>,
    decisions: Vec<InlineDecision>,
}

impl Session {
    pub(super) fn new(options: InlineOptions) -> Self {
        Self {
            options,
            spent: BTreeMap::new(),
            spent_in_module: 0,
            instructions: BTreeMap::new(),
            pending: None,
            decisions: Vec::new(),
        }
    }

    /// The functions that LLVM calls, with the session that answers.
    pub(super) fn asker(&mut self) -> Asker<'_> {
        let asks_llvm = self.options.model == InlineModel::Llvm;
        Asker::new(std::ptr::from_mut(self).cast(), asks_llvm, advise, conclude, bonus)
    }

    /// The decisions about a module that had these imported bodies.
    pub(super) fn report(self, sizes: &imported::Sizes) -> InlineReport {
        let imported = ImportedBodies::of(sizes, &self.decisions);
        InlineReport { decisions: self.decisions, imported }
    }

    fn advise(&mut self, facts: &CallFacts<'_>) -> bool {
        let mut site = Site::of(facts);
        let (caller, imported) = (facts.caller.name(), facts.callee.is_imported());
        let now = site.caller_instructions;
        site.caller_instructions = *self.instructions.entry(caller.clone()).or_insert(now);
        let spent = Spent {
            caller: self.spent.get(&caller).copied().unwrap_or(0),
            module: self.spent_in_module,
        };
        let Verdict { inlines, reason, cost, limit, charge } = judge(&site, spent, &self.options);
        let decision = InlineDecision {
            caller,
            callee: site.callee.name,
            imported,
            is_in_kernel: site.caller_role == Role::Kernel,
            inlined: false,
            reason,
            cost,
            limit,
            parameter_bytes: site.marshalling.bytes,
            growth: site.growth,
        };
        self.pending = Some((decision, charge));
        inlines
    }

    fn conclude(&mut self, kept: Option<Call<'_>>) {
        let Some((decision, charge)) = self.pending.take() else { return };
        let inlined = kept.is_none();
        if let Some(call) = kept.filter(|_| self.options.adds_remarks) {
            call.add_text(REMARK, &decision.outcome());
        }
        if inlined {
            *self.spent.entry(decision.caller.clone()).or_default() += charge;
            self.spent_in_module += charge;
        }
        self.decisions.push(InlineDecision { inlined, ..decision });
    }
}

/// Applies the rules of every model, then those of the chosen one.
pub(super) fn judge(site: &Site, spent: Spent, options: &InlineOptions) -> Verdict {
    if site.demand == Demand::Always {
        return Verdict::without_cost(true, InlineReason::AlwaysInline);
    }
    if options.disabled {
        return Verdict::never(InlineReason::Disabled);
    }
    if options.inline_all {
        return all(site);
    }
    match options.model {
        InlineModel::Nvidia => nvidia::judge(site, spent, options),
        InlineModel::Gpu => gpu::judge(site, spent, options),
        InlineModel::Llvm => llvm(site),
    }
}

/// Inlines every call that can be inlined, regardless of its cost.
fn all(site: &Site) -> Verdict {
    match (&site.demand, &site.callee.not_viable) {
        (Demand::Never(words), _) => Verdict::never(InlineReason::Attributes(words.clone())),
        (_, Some(words)) => Verdict::never(InlineReason::NotAnalyzable(words.clone())),
        _ => Verdict::without_cost(true, InlineReason::InlineAll),
    }
}

fn llvm(site: &Site) -> Verdict {
    let (inlines, cost, limit) = site.llvm;
    match (&site.demand, &site.callee.not_viable) {
        (Demand::Never(words), _) => Verdict::never(InlineReason::Attributes(words.clone())),
        (_, Some(words)) => Verdict::never(InlineReason::NotAnalyzable(words.clone())),
        _ => Verdict { inlines, reason: InlineReason::Cost, cost, limit, charge: 0 },
    }
}

unsafe extern "C" fn advise(session: *mut c_void, facts: &CallFacts<'_>) -> bool {
    // SAFETY: `Session::asker` gave LLVM this function together with a session, which it borrows as
    // long as LLVM can call. Nothing else uses the session meanwhile.
    unsafe { (*session.cast::<Session>()).advise(facts) }
}

unsafe extern "C" fn conclude(session: *mut c_void, kept: Option<&Call<'_>>) {
    // SAFETY: `Session::asker` gave LLVM this function together with a session, which it borrows as
    // long as LLVM can call. Nothing else uses the session meanwhile.
    unsafe { (*session.cast::<Session>()).conclude(kept.copied()) }
}

/// NVIDIA's compiler adds its bonus to whichever model decides.
extern "C" fn bonus(callee: Function<'_>) -> i32 {
    i32::try_from(nvidia::bonus(&body(callee))).unwrap_or(i32::MAX)
}
