//! Definitions of a job that the run for kernels lacks.

use std::collections::{BTreeMap, BTreeSet};

use weft_artifact::{LtoIrPlan, LtoIrRole};
use weft_container::{PtxItemKind, PtxSpace};

use super::error::JobError;
use super::module::{Module, Symbol};
use super::reach::Reached;

/// Virtual tables, their parts and type information, and string literals: nothing writes them.
const CONSTANTS: [&str; 5] = ["_ZTV", "_ZTT", "_ZTI", "_ZTS", "$str"];

/// Returns the functions for other jobs that `kernels`, the PTX of a run for the plan's kernels,
/// does not have as others need them. `own` is the PTX of the module without optimization.
pub fn lacking_functions(
    kernels: &str,
    own: Option<&str>,
    plan: &LtoIrPlan,
) -> Result<Vec<String>, JobError> {
    let own = own.map(|own| read(own, plan)).transpose()?;
    Ok(functions(&read(kernels, plan)?, own.as_ref(), plan))
}

/// Returns the definitions for other jobs that neither `kernels` nor `whole` has: nvlink removes
/// variables that the units only write, and merged functions that they do not use.
pub fn removed_definitions(
    kernels: &str,
    whole: Option<&str>,
    plan: &LtoIrPlan,
) -> Result<Vec<String>, JobError> {
    let mut lacking = removed(&read(kernels, plan)?, plan);
    if let Some(whole) = whole {
        let whole = read(whole, plan)?;
        lacking.retain(|name| !has(&whole, name));
    }
    Ok(lacking)
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
    let known = lacking.iter().filter(|name| whole.symbols.contains_key(*name));
    let reached = Reached::of(&whole, known.cloned(), |_, _| false);
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
    let names = restored_names(&module, plan);
    module.rename(&names);
    module.hoist(|name| plan.symbols.iter().any(|symbol| symbol.name == name));
    Ok(module)
}

/// Returns the functions for others that are missing or whose signature nvlink may have changed, as
/// it sees all calls of them.
pub(super) fn functions(kernels: &Module, own: Option<&Module>, plan: &LtoIrPlan) -> Vec<String> {
    let addressed = kernels.addressed();
    let is_variable = |name: &str| {
        let symbol = own.and_then(|own| own.symbols.get(name));
        symbol.is_some_and(Symbol::is_variable)
    };
    let is_lacking = |name: &&String| match kernels.symbols.get(*name) {
        Some(symbol) if symbol.is_function() => !symbol.is_definition || !addressed.contains(*name),
        Some(symbol) => !symbol.is_definition && !is_variable(name),
        None => !is_variable(name),
    };
    defined(plan).filter(is_lacking).cloned().collect()
}

/// Returns the definitions for others that `module` does not have.
pub(super) fn removed(module: &Module, plan: &LtoIrPlan) -> Vec<String> {
    defined(plan).filter(|name| !has(module, name)).cloned().collect()
}

/// Returns the symbols that nvlink has given another name, `NAME$NUMBER`, with the plan's names. It
/// does so with a local whose name another unit had first, also where that unit's local is gone in
/// the end.
fn restored_names(module: &Module, plan: &LtoIrPlan) -> BTreeMap<String, String> {
    let mut present: BTreeSet<String> = module.demoted();
    present.extend(module.symbols.keys().cloned());
    let names = plan.symbols.iter().map(|symbol| &symbol.name).chain(&plan.used_variables);
    let mut restored = BTreeMap::new();
    for name in names.filter(|name| !present.contains(*name)) {
        let start = format!("{name}$");
        let numbered = present.range(start.clone()..).take_while(|found| found.starts_with(&start));
        let is_number = |found: &&String| {
            let number = &found[start.len()..];
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        };
        let found: Vec<&String> = numbered.filter(is_number).collect();
        if let [only] = found[..] {
            restored.insert(only.clone(), name.clone());
        }
    }
    restored
}

/// Whether `module` defines `name`.
pub(super) fn has(module: &Module, name: &str) -> bool {
    module.symbols.get(name).is_some_and(|symbol| symbol.is_definition)
}

fn defined(plan: &LtoIrPlan) -> impl Iterator<Item = &String> {
    let own = plan.symbols.iter().filter(|symbol| symbol.role == LtoIrRole::Define);
    own.map(|symbol| &symbol.name)
}
