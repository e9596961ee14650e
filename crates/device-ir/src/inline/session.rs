//! One run of the inliner over a module: asks the model, keeps the budgets, notes what was decided.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::fmt;

use super::imported::{self, ImportedBodies};
use super::options::{InlineModel, InlineOptions};
use super::shim::{Asker, CallFacts};
use super::site::{Site, Standing};
use super::verdict::{InlineReason, Spent, Verdict};
use super::{gpu, nvidia};
use crate::describe::Sizes;
use crate::global::Global;

/// One decision of the inliner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineDecision {
    /// The function that holds the call.
    pub caller: String,
    /// The function that is called.
    pub callee: String,
    /// The callee's body comes from another module.
    pub imported: bool,
    /// It was inlined.
    pub inlined: bool,
    /// What decided.
    pub reason: InlineReason,
    /// The model's cost, and the limit that it was held against; zero where no cost was asked for.
    pub cost: i64,
    /// See `cost`.
    pub limit: i64,
    /// Bytes through `.param` space, stored, loaded and returned.
    pub parameter_bytes: u64,
    /// What the caller grows by in LLVM's estimate, 5 for each instruction.
    pub growth: Option<i64>,
}

/// All decisions of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InlineReport {
    /// In the order in which they were made: callees before callers.
    pub decisions: Vec<InlineDecision>,
    /// What became of the imported bodies.
    pub imported: ImportedBodies,
}

impl fmt::Display for InlineReport {
    /// A line for each decision, then one that sums up.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for it in &self.decisions {
            let verb = if it.inlined { "inlined" } else { "kept" };
            let from = if it.imported { " (imported)" } else { "" };
            let InlineDecision { caller, callee, reason, cost, limit, parameter_bytes, .. } = it;
            write!(formatter, "{verb} {callee}{from} in {caller}: {reason}")?;
            if *limit != 0 {
                write!(formatter, "; cost {cost} of {limit}")?;
            }
            write!(formatter, "; {parameter_bytes} bytes through .param")?;
            if let Some(growth) = it.growth {
                write!(formatter, "; growth {growth}")?;
            }
            writeln!(formatter)?;
        }
        let calls = self.decisions.iter().filter(|it| it.inlined).count();
        let ImportedBodies { bodies, inlined, .. } = self.imported;
        writeln!(
            formatter,
            "inlined {calls} of {} calls, and {inlined} of {bodies} imported bodies",
            self.decisions.len()
        )
    }
}

/// The state of a run.
pub(super) struct Session {
    options: InlineOptions,
    sizes: Sizes,
    /// What was inlined into each function, by its name.
    spent: BTreeMap<String, u64>,
    spent_in_module: u64,
    /// Instructions of each caller when it was met first.
    instructions: BTreeMap<String, u32>,
    /// The decision that LLVM is carrying out, and its charge.
    pending: Option<(InlineDecision, u64)>,
    decisions: Vec<InlineDecision>,
}

impl Session {
    pub(super) fn new(options: InlineOptions, sizes: Sizes) -> Self {
        Self {
            options,
            sizes,
            spent: BTreeMap::new(),
            spent_in_module: 0,
            instructions: BTreeMap::new(),
            pending: None,
            decisions: Vec::new(),
        }
    }

    /// What LLVM calls; valid as long as the session.
    pub(super) fn asker(&mut self) -> Asker {
        Asker {
            data: std::ptr::from_mut(self).cast(),
            asks_llvm: self.options.model == InlineModel::Llvm,
            advise,
            conclude,
        }
    }

    /// The decisions, of a module that had these imported bodies.
    pub(super) fn report(self, sizes: &imported::Sizes) -> InlineReport {
        let imported = ImportedBodies::of(sizes, &self.decisions);
        InlineReport { decisions: self.decisions, imported }
    }

    /// # Safety
    ///
    /// `facts` come from LLVM, and their values are alive.
    unsafe fn advise(&mut self, facts: &CallFacts) -> bool {
        // SAFETY: the caller's promise.
        let (mut site, caller, imported) = unsafe {
            let site = Site::of(facts, self.sizes);
            let imported = Global::new(facts.callee).is_imported_function();
            (site, Global::new(facts.caller).name(), imported)
        };
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

    fn conclude(&mut self, inlined: bool) {
        let Some((decision, charge)) = self.pending.take() else { return };
        if inlined {
            *self.spent.entry(decision.caller.clone()).or_default() += charge;
            self.spent_in_module += charge;
        }
        self.decisions.push(InlineDecision { inlined, ..decision });
    }
}

/// What holds for every model, then the model.
pub(super) fn judge(site: &Site, spent: Spent, options: &InlineOptions) -> Verdict {
    if site.standing == Standing::Always {
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

/// Everything that can be, whatever it costs.
fn all(site: &Site) -> Verdict {
    match (&site.standing, &site.callee.not_viable) {
        (Standing::Never(words), _) => Verdict::never(InlineReason::Attributes(words.clone())),
        (_, Some(words)) => Verdict::never(InlineReason::NotAnalysable(words.clone())),
        _ => Verdict::without_cost(true, InlineReason::InlineAll),
    }
}

fn llvm(site: &Site) -> Verdict {
    let (inlines, cost, limit) = site.llvm;
    match (&site.standing, &site.callee.not_viable) {
        (Standing::Never(words), _) => Verdict::never(InlineReason::Attributes(words.clone())),
        (_, Some(words)) => Verdict::never(InlineReason::NotAnalysable(words.clone())),
        _ => Verdict { inlines, reason: InlineReason::Cost, cost, limit, charge: 0 },
    }
}

unsafe extern "C" fn advise(session: *mut c_void, facts: *const CallFacts) -> bool {
    // SAFETY: LLVM gives back what `Session::asker` gave it, and facts that are alive.
    unsafe { (*session.cast::<Session>()).advise(&*facts) }
}

unsafe extern "C" fn conclude(session: *mut c_void, inlined: bool) {
    // SAFETY: as above.
    unsafe { (*session.cast::<Session>()).conclude(inlined) }
}
