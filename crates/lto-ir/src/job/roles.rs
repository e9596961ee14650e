//! Gives each symbol the linkage and the name that it has in the program.

use std::collections::BTreeMap;

use weft_artifact::{LtoIrPlan, LtoIrRole, LtoIrSymbol, SharedAlignment};
use weft_container::{PtxItemKind, PtxLinkage, PtxSpace, ptx_words};

use super::error::JobError;
use super::module::{Module, Symbol};
use super::reach::Reached;

/// Checks that the variables that the job defines for others are as `own`, the PTX of the module
/// without optimization, declares them.
pub(super) fn check_variables(
    module: &Module,
    own: &Module,
    plan: &LtoIrPlan,
) -> Result<(), JobError> {
    for symbol in plan.symbols.iter().filter(|symbol| symbol.role == LtoIrRole::Define) {
        let name = &symbol.name;
        let of = |module: &Module| {
            let symbol = module.symbols.get(name);
            let defined = symbol.filter(|symbol| symbol.is_variable() && symbol.is_definition);
            defined.map(declaration)
        };
        if let Some(declared) = of(own)
            && let Some(found) = of(module).filter(|found| *found != declared)
        {
            return Err(JobError::Changed { name: name.clone(), declared, found });
        }
    }
    Ok(())
}

/// Returns what a variable is: its space, alignment, type, name and size, without attributes.
fn declaration(symbol: &Symbol) -> String {
    let head = &symbol.head;
    let space = ptx_words(head, 0..head.len()).next().map_or("", |(word, _)| word);
    let rest = head.split_once(".align").map_or("", |(_, rest)| rest);
    format!("{space} .align{rest}")
}

/// Gives all symbols their linkage and the shared ones their names.
pub(super) fn apply(module: &mut Module, plan: &LtoIrPlan) -> Result<(), JobError> {
    for kernel in &plan.kernels {
        let has_body = |symbol: &&Symbol| symbol.kind == PtxItemKind::Kernel && symbol.has_body();
        module
            .symbols
            .get(kernel)
            .filter(has_body)
            .ok_or_else(|| JobError::NoKernel(kernel.clone()))?;
    }
    for (name, symbol) in &mut module.symbols {
        let is_kernel_of_plan = plan.kernels.binary_search(name).is_ok();
        if symbol.is_definition && !is_kernel_of_plan {
            symbol.linkage = PtxLinkage::None;
        }
    }
    for symbol in of_role(plan, LtoIrRole::Define) {
        let name = &symbol.name;
        let found = module.symbols.get_mut(name).filter(|found| found.is_definition);
        let found = found.ok_or_else(|| JobError::NoDefinition(name.clone()))?;
        found.linkage = PtxLinkage::Visible;
    }
    for symbol in of_role(plan, LtoIrRole::Extern) {
        if let Some(found) = module.symbols.get_mut(&symbol.name)
            && !found.is_function()
        {
            found.make_external();
        }
    }
    for symbol in of_role(plan, LtoIrRole::Overridden) {
        if let Some(found) = module.symbols.get_mut(&symbol.name) {
            found.make_external();
        }
    }
    // A function that is only called stays a copy, whose signature nvlink may have changed. If its
    // address is taken, the signature is as it was, and the address must be the program's.
    let addressed = Reached::of(module, roots(plan), |_, _| false).addressed;
    for symbol in of_role(plan, LtoIrRole::Extern) {
        if let Some(found) = module.symbols.get_mut(&symbol.name)
            && found.is_function()
            && addressed.contains(&symbol.name)
        {
            found.make_external();
        }
    }
    for LtoIrSymbol { name, alignment, .. } in &plan.symbols {
        if let Some(symbol) = module.symbols.get_mut(name).filter(|symbol| symbol.is_variable())
            && let Some(least) = alignment
            && symbol.alignment() < *least
        {
            symbol.align(*least);
        }
    }
    let renamed: BTreeMap<String, String> = plan
        .symbols
        .iter()
        .filter(|symbol| {
            let found = module.symbols.get(&symbol.name);
            found.is_some_and(|found| found.linkage != PtxLinkage::None)
        })
        .filter_map(|symbol| Some((symbol.name.clone(), symbol.linked_name.clone()?)))
        .collect();
    module.rename(&renamed);
    Ok(())
}

fn of_role(plan: &LtoIrPlan, role: LtoIrRole) -> impl Iterator<Item = &LtoIrSymbol> {
    plan.symbols.iter().filter(move |symbol| symbol.role == role)
}

/// Returns the names, in the program, of what the job is there for.
pub(super) fn roots(plan: &LtoIrPlan) -> impl Iterator<Item = String> {
    let linked = |name: &String| {
        let found = plan.symbols.binary_search_by(|symbol| symbol.name.cmp(name)).ok();
        found.and_then(|found| plan.symbols[found].linked_name.clone())
    };
    let defined = of_role(plan, LtoIrRole::Define).map(|symbol| &symbol.name);
    let names = plan.kernels.iter().chain(defined);
    names.flat_map(move |name| [Some(name.clone()), linked(name)]).flatten()
}

/// Gives dynamic shared memory the alignment that the program's units agree on.
pub(super) fn align(module: &mut Module, alignments: &[SharedAlignment]) {
    for SharedAlignment { name, alignment } in alignments {
        let Some(symbol) = module.symbols.get_mut(name) else { continue };
        if symbol.kind != PtxItemKind::Variable(PtxSpace::Shared) || symbol.is_definition {
            continue;
        }
        symbol.align(*alignment);
    }
}
