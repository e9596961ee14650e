//! Definitions of a job that the run for kernels lacks.

use std::collections::BTreeSet;

use weft_artifact::{LtoIrPlan, LtoIrRole};
use weft_container::{PtxItemKind, PtxSpace};

use super::error::JobError;
use super::module::Module;
use super::reach::Reached;

/// Virtual tables, their parts and type information, and string literals: nothing writes them.
const CONSTANTS: [&str; 5] = ["_ZTV", "_ZTT", "_ZTI", "_ZTS", "$str"];

/// Returns the definitions for other jobs that `kernels`, the PTX of a run for the plan's kernels,
/// does not have as others need them.
pub fn lacking_functions(kernels: &str, plan: &LtoIrPlan) -> Result<Vec<String>, JobError> {
    Ok(of_module(&read(kernels, plan)?, plan))
}

/// Returns the variables that code of the `lacking` definitions names in `whole`, and that the plan
/// does not have nvlink keep. The run for kernels does not see this code, so it may have folded
/// them. nvlink never folds shared memory.
pub fn written_variables(
    whole: &str,
    lacking: &[String],
    plan: &LtoIrPlan,
) -> Result<Vec<String>, JobError> {
    let whole = read(whole, plan)?;
    let reached = Reached::of(&whole, lacking.iter().cloned(), |_, _| false);
    let is_kept = |name: &String| plan.used_variables.binary_search(name).is_ok();
    let is_memory = |name: &String| {
        let symbol = &whole.symbols[name];
        let is_shared = symbol.kind == PtxItemKind::Variable(PtxSpace::Shared);
        symbol.is_variable() && symbol.is_definition && !is_shared
    };
    let found: BTreeSet<String> = reached
        .order
        .into_iter()
        .filter(|name| is_memory(name) && !is_kept(name))
        .filter(|name| !CONSTANTS.iter().any(|start| name.starts_with(start)))
        .collect();
    Ok(found.into_iter().collect())
}

/// Reads a text. Shared variables in bodies are symbols if the plan names them.
pub(super) fn read(text: &str, plan: &LtoIrPlan) -> Result<Module, JobError> {
    let mut module = Module::read(text)?;
    module.hoist(|name| plan.symbols.iter().any(|symbol| symbol.name == name));
    Ok(module)
}

/// Returns the definitions for others that are missing or whose signature nvlink may have changed:
/// those of functions that it sees all calls of.
pub(super) fn of_module(kernels: &Module, plan: &LtoIrPlan) -> Vec<String> {
    let addressed = kernels.addressed();
    let own = plan.symbols.iter().filter(|symbol| symbol.role == LtoIrRole::Define);
    let is_lacking = |name: &&String| match kernels.symbols.get(*name) {
        Some(symbol) if symbol.is_function() => !symbol.is_definition || !addressed.contains(*name),
        Some(symbol) => !symbol.is_definition,
        None => true,
    };
    own.map(|symbol| &symbol.name).filter(is_lacking).cloned().collect()
}
