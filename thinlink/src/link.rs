//! The thin link as a function from summaries to decisions.

use std::collections::{BTreeMap, BTreeSet};

use weft_artifact::{
    Decisions, ImportList, LinkMode, ModuleId, PhaseOptions, Plan, Resolution, Symbol,
    SymbolResolution,
};

use crate::attributes::{self, Attributes};
use crate::consensus::{self, Agreement};
use crate::devirtualise::{Devirtualised, World};
use crate::host::Host;
use crate::imports::{self, Imports};
use crate::index::{Index, Module, Node, Standing};
use crate::liveness::Liveness;
use crate::load::{self, Unit};
use crate::mode::{self, Mode, ModeChoice};
use crate::root_policy::RootPolicy;
use crate::{LinkError, decisions, resolve, undefined};

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
    /// Symbols that stay, as patterns with `*`, `?` and `[]`.
    pub keep: BTreeSet<String>,
    /// What else the user says of roots.
    pub roots: RootPolicy,
    /// Whether all device code takes part.
    pub mode: ModeChoice,
    /// Options that the phases shall have, whatever the modules say.
    pub options: PhaseOptions,
    /// Tell modules what is known of functions across modules.
    pub propagate_attributes: bool,
    /// Make virtual calls direct.
    pub devirtualise: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            complete_host_info: false,
            import_limit: DEFAULT_IMPORT_LIMIT,
            evolution_factor: DEFAULT_EVOLUTION_FACTOR,
            optimize_unused_variables: false,
            keep: BTreeSet::new(),
            roots: RootPolicy::default(),
            mode: ModeChoice::Automatic,
            options: PhaseOptions::default(),
            propagate_attributes: true,
            devirtualise: true,
        }
    }
}

/// All that the thin link decided. Equal for the same units in any order, on any number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Architecture of all modules; empty when no unit has device code.
    pub architecture: String,
    /// Whether all device code took part.
    pub mode: LinkMode,
    /// Whether the final link needs libcudadevrt.
    pub device_runtime: bool,
    /// One plan per module with device code, sorted by module id.
    pub plans: Vec<Plan>,
    /// What happened to each module's definitions, in the plans' order.
    pub tallies: Vec<Tally>,
    /// Instructions that each module's optimiser gets to see, in the plans' order.
    pub costs: Vec<u64>,
    /// Kernels that go because nothing refers to them, sorted.
    pub removed_kernels: Vec<String>,
    /// Variables the host could see that go because nothing refers to them, sorted.
    pub removed_variables: Vec<String>,
    /// What the user should hear though it stops nothing.
    pub warnings: Vec<String>,
    /// Decisions about the program as a whole, with reasons, for who asks.
    pub log: Vec<String>,
    /// Decisions about each definition, with reasons.
    pub decisions: Decisions,
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
    let agreement = consensus::agree(&index.units, &policy.options.settings)?;
    let mode = Mode::decide(&units, policy.mode);
    let host = Host::new(&units, policy);
    let mut liveness = Liveness::new(&index, &host, policy);
    let undefined = undefined::find(&index, &liveness.live);
    if policy.devirtualise {
        liveness.virtual_calls = Devirtualised::new(&World {
            index: &index,
            host: &host,
            mode: &mode,
            undefined: &undefined,
            live: &liveness.live,
            fixed: &liveness.fixed,
        });
    }
    let imports = imports::plan(&index, &liveness, policy);
    let exported = resolve::exported(&index, &imports);
    let resolutions = resolve::resolutions(&index, &liveness, &exported);
    let attributes = if policy.propagate_attributes {
        let attributes = Attributes::propagate(&index, &host, &liveness);
        attributes::plan(&index, &liveness, &imports, &exported, &attributes)
    } else {
        vec![Vec::new(); index.units.len()]
    };
    let need_of_runtime = mode::need_of_device_runtime(&units, &undefined);
    let library = mode::defined_by_device_runtime(&units);
    let options = PhaseOptions { settings: agreement.settings.clone(), ..policy.options.clone() };

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
        .zip(attributes)
        .enumerate()
        .map(|(module, ((symbols, imports), attributes))| Plan {
            module_id: index.module_id(module).clone(),
            architecture: architecture.clone(),
            options: options.clone(),
            symbols,
            imports: import_lists(&index, imports),
            virtual_calls: liveness.virtual_calls.plan(
                &index,
                &liveness.live,
                imports,
                &exported,
                module,
            ),
            attributes,
        })
        .collect();
    let costs = (0..index.units.len())
        .map(|module| cost(&index, &liveness, &imports[module], module))
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
    let undefined_warnings = undefined::warnings(&index, &host, &undefined, &library);
    let log = log(&mode, need_of_runtime.as_deref(), &agreement, &liveness.virtual_calls);
    let decisions = decisions::record(&index, &liveness, &imports);
    let warnings = host.warnings.iter().cloned();
    Ok(Link {
        mode: mode.extent,
        device_runtime: need_of_runtime.is_some(),
        costs,
        log,
        decisions,
        removed_kernels: removed(&|node| index.is_kernel(node)),
        removed_variables: removed(&|node| {
            is_host_variable(&liveness, policy, index.symbol(node), node)
        }),
        warnings: warnings
            .chain(mode.opaque.filter(|_| policy.complete_host_info && !host.has_unknown_code()))
            .chain(mode.warnings)
            .chain(unknown_keeps)
            .chain(agreement.warnings)
            .chain(index.disagreements.iter().cloned())
            .chain(undefined_warnings)
            .collect(),
        architecture,
        plans,
        tallies,
    })
}

/// Whether it is a variable that the host could have seen.
fn is_host_variable(liveness: &Liveness, policy: &Policy, symbol: &Symbol, node: Node) -> bool {
    let is_visible = policy.roots.variables_used.is_some()
        && !symbol.linkage.is_local()
        && matches!(symbol.address_space, 1 | 4);
    symbol.variable().is_some() && (liveness.fixed[node] || is_visible)
}

/// IR instructions in the bodies that `module` keeps or imports.
fn cost(index: &Index<'_>, liveness: &Liveness, imports: &Imports, module: Module) -> u64 {
    let own = index
        .nodes(module)
        .filter(|&node| liveness.live[node] && index.standing(node) != Standing::Dropped);
    let bodies = own.chain(imports.imported.iter().copied());
    let functions = bodies.filter_map(|node| index.symbol(node).function());
    functions.map(|function| u64::from(function.instruction_count)).sum()
}

/// What was decided for the program as a whole, a line each.
fn log(
    mode: &Mode,
    need_of_runtime: Option<&str>,
    agreement: &Agreement,
    virtual_calls: &Devirtualised,
) -> Vec<String> {
    let word = match mode.extent {
        LinkMode::Whole => "whole",
        LinkMode::Partial => "partial",
    };
    let mut log = vec![format!("mode: {word}, as {}", mode.reason)];
    log.push(match need_of_runtime {
        Some(reason) => format!("libcudadevrt: needed, as {reason}"),
        None => "libcudadevrt: not needed".to_owned(),
    });
    log.extend(agreement.log.iter().cloned());
    match (&virtual_calls.refusal, virtual_calls.len()) {
        (Some(reason), _) => log.push(format!("virtual calls: left alone, as {reason}")),
        (None, 0) => {}
        (None, count) => log.push(format!("virtual calls: the targets of {count} slots are known")),
    }
    log
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
