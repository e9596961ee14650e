//! The thin link as a function from summaries to decisions.

use std::collections::{BTreeMap, BTreeSet};

use weft_artifact::{ImportList, ModuleId, Plan, Resolution, SymbolResolution};

use crate::host::Host;
use crate::imports::{self, Imports};
use crate::index::{Index, Node};
use crate::liveness::Liveness;
use crate::load::{self, Unit};
use crate::{LinkError, resolve};

/// Default of [`Policy::import_limit`].
pub(crate) const DEFAULT_IMPORT_LIMIT: u32 = 1000;

/// Default of [`Policy::evolution_factor`], which is LLVM's.
pub(crate) const DEFAULT_EVOLUTION_FACTOR: f32 = 0.7;

/// What the decisions go by, besides the summaries.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The summaries cover every host object, so what they do not mention is not referenced.
    pub complete_host_info: bool,
    /// IR instructions that a function may have to be imported where the module's own code calls it.
    pub import_limit: u32,
    /// Factor on the limit for each further level of calls, from 0 to 1.
    pub evolution_factor: f32,
    /// Variables that the host could see go as well, if nothing refers to them.
    pub optimize_unused_variables: bool,
    /// Symbols that stay.
    pub keep: BTreeSet<String>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            complete_host_info: false,
            import_limit: DEFAULT_IMPORT_LIMIT,
            evolution_factor: DEFAULT_EVOLUTION_FACTOR,
            optimize_unused_variables: false,
            keep: BTreeSet::new(),
        }
    }
}

/// All that the thin link decided. Equal for the same units in any order, on any number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Architecture of all modules; empty when no unit has device code.
    pub architecture: String,
    /// One plan per module with device code, sorted by module id.
    pub plans: Vec<Plan>,
    /// What happened to each module's definitions, in the plans' order.
    pub tallies: Vec<Tally>,
    /// Kernels that go because nothing refers to them, sorted.
    pub removed_kernels: Vec<String>,
    /// Variables the host could see that go because nothing refers to them, sorted.
    pub removed_variables: Vec<String>,
    /// What the user should hear though it stops nothing.
    pub warnings: Vec<String>,
}

/// Numbers of one module, for people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Definitions imported from other modules.
    pub imports: usize,
    /// Own definitions that the module emits.
    pub kept: usize,
    /// Own definitions that go.
    pub removed: usize,
    /// Own definitions that become internal. They are among the kept.
    pub internalized: usize,
    /// Own locals that become global. They are among the kept.
    pub promoted: usize,
}

/// Links `units`, given in any order.
pub fn link(units: &[Unit], policy: &Policy) -> Result<Link, LinkError> {
    let units = in_module_order(units)?;
    let index = Index::new(&units)?;
    let host = Host::new(&units, policy);
    let liveness = Liveness::new(&index, &host, policy);
    let imports = imports::plan(&index, &liveness, policy);
    let exported = resolve::exported(&index, &imports);
    let resolutions = resolve::resolutions(&index, &liveness, &exported);

    let architecture =
        index.units.first().map(|(_, device)| device.architecture.clone()).unwrap_or_default();
    let tallies = (0..index.units.len())
        .map(|module| {
            let definitions =
                index.nodes(module).filter(|&node| index.symbol(node).is_definition()).count();
            tally(definitions, &imports[module], &resolutions[module])
        })
        .collect();
    let plans = resolutions
        .into_iter()
        .zip(&imports)
        .enumerate()
        .map(|(module, (symbols, imports))| Plan {
            module_id: index.module_id(module).clone(),
            architecture: architecture.clone(),
            symbols,
            imports: import_lists(&index, imports),
        })
        .collect();
    let removed = |counts: &dyn Fn(Node) -> bool| -> Vec<String> {
        let names: BTreeSet<&str> = (0..index.len())
            .filter(|&node| !liveness.live[node] && counts(node))
            .map(|node| index.symbol(node).name.as_str())
            .collect();
        names.into_iter().map(str::to_owned).collect()
    };
    let unknown_keeps = liveness
        .unknown_keeps
        .iter()
        .map(|name| format!("--keep {name}: no module defines a symbol of that name"));
    Ok(Link {
        removed_kernels: removed(&|node| index.is_kernel(node)),
        removed_variables: removed(&|node| {
            liveness.fixed[node] && index.symbol(node).variable().is_some()
        }),
        warnings: host.warnings.into_iter().chain(unknown_keeps).collect(),
        architecture,
        plans,
        tallies,
    })
}

/// Checks each unit and all units against each other, and sorts them by module id.
fn in_module_order(units: &[Unit]) -> Result<Vec<&Unit>, LinkError> {
    let mut units: Vec<&Unit> = units.iter().collect();
    units.sort_by(|first, second| {
        let by_id = first.summary.module_id.cmp(&second.summary.module_id);
        by_id.then_with(|| first.path.cmp(&second.path))
    });
    units.iter().try_for_each(|unit| load::check(unit))?;
    for [first, second] in units.array_windows() {
        if first.summary.module_id == second.summary.module_id {
            return Err(LinkError::DuplicateModule {
                module_id: first.summary.module_id.clone(),
                first: first.path.clone(),
                second: second.path.clone(),
            });
        }
    }
    check_same_target(&units)?;
    check_plan_paths(&units)?;
    Ok(units)
}

fn check_same_target(units: &[&Unit]) -> Result<(), LinkError> {
    let mut devices = units.iter().filter_map(|unit| Some((unit, unit.summary.device.as_ref()?)));
    let Some((first, expected)) = devices.next() else { return Ok(()) };
    for (second, found) in devices {
        for (what, expected, found) in [
            ("architecture", &expected.architecture, &found.architecture),
            ("target triple", &expected.triple, &found.triple),
            ("data layout", &expected.data_layout, &found.data_layout),
        ] {
            if expected != found {
                return Err(LinkError::Mismatch {
                    what,
                    first: first.path.clone(),
                    first_value: expected.clone(),
                    second: second.path.clone(),
                    second_value: found.clone(),
                });
            }
        }
    }
    Ok(())
}

/// `a` has the plan `a.plan`, and `a.plan/b` has `a.plan/b.plan`: not both can be written.
fn check_plan_paths(units: &[&Unit]) -> Result<(), LinkError> {
    let by_id: BTreeMap<&str, &Unit> = units
        .iter()
        .filter(|unit| unit.summary.device.is_some())
        .map(|unit| (unit.summary.module_id.as_str(), *unit))
        .collect();
    for (id, inside) in &by_id {
        for (position, _) in id.match_indices(".plan/") {
            if let Some(file) = by_id.get(&id[..position]) {
                return Err(LinkError::PlanPaths {
                    file: file.summary.module_id.clone(),
                    inside: inside.summary.module_id.clone(),
                    first: file.path.clone(),
                    second: inside.path.clone(),
                });
            }
        }
    }
    Ok(())
}

/// Nodes are numbered by module and then by name, so sorted nodes give sorted lists.
fn import_lists(index: &Index<'_>, imports: &Imports) -> Vec<ImportList> {
    imports
        .imported
        .chunk_by(|&first, &second| index.module(first) == index.module(second))
        .map(|nodes| ImportList {
            module_id: source(index, nodes),
            symbols: nodes.iter().map(|&node| index.symbol(node).name.clone()).collect(),
        })
        .collect()
}

fn source(index: &Index<'_>, nodes: &[Node]) -> ModuleId {
    index.module_id(index.module(nodes[0])).clone()
}

fn tally(definitions: usize, imports: &Imports, symbols: &[SymbolResolution]) -> Tally {
    let count = |resolution: &Resolution| {
        symbols.iter().filter(|symbol| symbol.resolution == *resolution).count()
    };
    let removed = count(&Resolution::Remove);
    Tally {
        imports: imports.imported.len(),
        kept: definitions - removed - count(&Resolution::AvailableExternally),
        removed,
        internalized: count(&Resolution::Internalize),
        promoted: count(&Resolution::Promote),
    }
}
