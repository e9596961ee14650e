//! Options of imports that change nothing.
//!
//! In closed modules nearly all functions of others are copies, which no threshold weighs. So an
//! option that was tuned for imports may do nothing, and its user should know. The effect of an
//! option depends on the program, so each is tried: the program is decided once more without it,
//! and an equal outcome is reported. Options that were not given cost nothing.

use crate::analyses::constants::Constants;
use crate::analyses::devirtualize::Devirtualized;
use crate::analyses::kernel_choices::KernelChoices;
use crate::analyses::liveness::Liveness;
use crate::candidates::Candidates;
use crate::closing::{self, Closing};
use crate::imports::{self, Imports};
use crate::model::ids::PerModule;
use crate::model::index::Index;
use crate::model::policy::{ImportPolicy, Policy};

/// The option that bounds copies and imports.
const CUTOFF: &str = "--import-cutoff";

/// The facts that copies and imports are decided by.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'a, 'units> {
    pub(crate) index: &'a Index<'units>,
    pub(crate) liveness: &'a Liveness,
    pub(crate) virtual_calls: &'a Devirtualized,
    pub(crate) kernel_choices: &'a KernelChoices,
    pub(crate) held: &'a Constants,
}

impl Facts<'_, '_> {
    /// Decides the copies and imports of all modules.
    pub(crate) fn decide(self, policy: &Policy) -> (Closing, PerModule<Imports>) {
        let Self { index, liveness, virtual_calls, kernel_choices, held } = self;
        let candidates = Candidates::new(index, liveness, held, &policy.imports);
        let closing = closing::close(index, liveness, virtual_calls, &candidates, policy);
        let facts = (virtual_calls, &candidates, kernel_choices);
        let imports = imports::decide(index, facts, &closing, &policy.imports);
        (closing, imports)
    }
}

/// Returns a note about the given options without which `closing` and `imports` would be the same.
pub(crate) fn notes(
    facts: Facts<'_, '_>,
    policy: &Policy,
    closing: &Closing,
    imports: &PerModule<Imports>,
) -> Vec<String> {
    if !closing::is_wanted(policy) {
        return Vec::new();
    }
    let trials = without_each(&policy.imports);
    if trials.is_empty() {
        return Vec::new();
    }
    let is_idle = |trial: &ImportPolicy| {
        let policy = Policy { imports: trial.clone(), ..policy.clone() };
        let (other_closing, other_imports) = facts.decide(&policy);
        let mut pairs = imports.iter().zip(other_imports.iter());
        closing.is_alike(&other_closing) && pairs.all(|(one, other)| one.is_alike(other))
    };
    let idle = trials.iter().filter(|(_, trial)| is_idle(trial));
    let mut idle: Vec<&str> = idle.map(|(option, _)| *option).collect();
    let mut notes = Vec::new();
    if idle.contains(&CUTOFF) {
        notes.push(format!(
            "{CUTOFF} changes nothing here: no module gets more functions of others"
        ));
    }
    idle.retain(|option| *option != CUTOFF);
    if !idle.is_empty() {
        let verb = if idle.len() == 1 { "changes" } else { "change" };
        notes.push(format!(
            "{} {verb} nothing here: modules get copies of the functions that their kernels call, \
             whatever these cost, unless --close-modules=false is given",
            idle.join(", ")
        ));
    }
    notes
}

/// Sets one option of a policy as in another.
type LeaveOut = fn(&mut ImportPolicy, &ImportPolicy);

/// Returns the options that are not as by default, each with the policy that leaves it out.
fn without_each(given: &ImportPolicy) -> Vec<(&'static str, ImportPolicy)> {
    let default = ImportPolicy::of(given.model);
    let leave_out: [(&'static str, LeaveOut); 11] = [
        ("--import-instr-limit", |policy, default| policy.limit = default.limit),
        ("--import-kernel-multiplier", |policy, default| {
            policy.kernel_multiplier = default.kernel_multiplier;
        }),
        (CUTOFF, |policy, default| policy.cutoff = default.cutoff),
        ("--import-instr-evolution-factor", |policy, default| {
            policy.evolution_factor = default.evolution_factor;
        }),
        ("--import-hot-evolution-factor", |policy, default| {
            policy.hot_evolution_factor = default.hot_evolution_factor;
        }),
        ("--import-hot-multiplier", |policy, default| {
            policy.hot_multiplier = default.hot_multiplier;
        }),
        ("--import-critical-multiplier", |policy, default| {
            policy.critical_multiplier = default.critical_multiplier;
        }),
        ("--import-cold-multiplier", |policy, default| {
            policy.cold_multiplier = default.cold_multiplier;
        }),
        ("--force-import-all", |policy, default| policy.force_all = default.force_all),
        ("--import-by-budget", |policy, default| policy.budgets = default.budgets),
        ("--import-constants-with-refs", |policy, default| {
            policy.constants_with_refs = default.constants_with_refs;
        }),
    ];
    let leave = |(option, leave_out): (_, LeaveOut)| {
        let mut policy = given.clone();
        leave_out(&mut policy, &default);
        (policy != *given).then_some((option, policy))
    };
    leave_out.into_iter().filter_map(leave).collect()
}
