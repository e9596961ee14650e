//! The thin link as a function from summaries to decisions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Cursor, Seek, Write};

use rayon::prelude::*;
use weft_artifact::{Arithmetic, Artifact as _, Decisions, LinkMode, PhaseOptions, Plan};

use crate::attributes::Attributes;
use crate::closing::{Closing, ClosingPolicy};
use crate::consensus::{self, Agreement};
use crate::devirtualise::{Devirtualised, World};
use crate::dynamic_shared::DynamicShared;
use crate::host::Host;
use crate::imports::policy::ImportPolicy;
use crate::imports::{self, Candidates, Imports};
use crate::index::{Index, Module, Node};
use crate::link_order::LinkOrder;
use crate::liveness::Liveness;
use crate::load::{self, Unit};
use crate::mode::{self, Mode, ModeChoice};
use crate::others::Others;
use crate::program::{Code, Symbol};
use crate::root_policy::RootPolicy;
use crate::{LinkError, decisions, program, resolve, undefined};

/// What the decisions go by, besides the summaries.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The summaries cover every host object, so what they do not mention is not referenced.
    pub complete_host_info: bool,
    /// Which bodies go into other modules.
    pub imports: ImportPolicy,
    /// Which modules get all that their kernels reach.
    pub closing: ClosingPolicy,
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
    /// The order in which the build links the units, if it states one.
    pub link_order: Option<LinkOrder>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            complete_host_info: false,
            imports: ImportPolicy::default(),
            closing: ClosingPolicy::default(),
            optimize_unused_variables: false,
            keep: BTreeSet::new(),
            roots: RootPolicy::default(),
            mode: ModeChoice::Automatic,
            options: PhaseOptions::default(),
            propagate_attributes: true,
            devirtualise: true,
            link_order: None,
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
    /// Those of the imports that the module emits as copies of its own.
    pub copied: usize,
    /// Own definitions that the module emits.
    pub kept: usize,
    /// Own definitions that go.
    pub removed: usize,
    /// Own definitions that become internal. They are among the kept.
    pub internalized: usize,
    /// Own locals that become global. They are among the kept.
    pub promoted: usize,
}

/// What was decided, over the units it was decided about. Plans are made of it one by one, as all of
/// them together take more space than all decisions.
pub(crate) struct Decided<'units> {
    pub(crate) index: Index<'units>,
    pub(crate) liveness: Liveness,
    pub(crate) closing: Closing,
    pub(crate) imports: Vec<Imports>,
    pub(crate) exported: Vec<bool>,
    /// What is known of functions, if modules are to be told.
    pub(crate) attributes: Option<Attributes>,
    /// What they are told of functions that they do not import.
    pub(crate) others: Others,
    pub(crate) dynamic_shared: DynamicShared,
    /// Imported functions shall say where they come from.
    pub(crate) import_metadata: bool,
    /// Options of the later phases.
    pub(crate) options: PhaseOptions,
    /// How each module's functions compute, in module-id order.
    pub(crate) arithmetic: Vec<Arithmetic>,
    /// See [`Link::mode`].
    pub(crate) mode: LinkMode,
    /// See [`Link::device_runtime`].
    pub(crate) device_runtime: bool,
    /// See [`Link::removed_kernels`].
    pub(crate) removed_kernels: Vec<String>,
    /// See [`Link::removed_variables`].
    pub(crate) removed_variables: Vec<String>,
    /// See [`Link::warnings`].
    pub(crate) warnings: Vec<String>,
    /// See [`Link::log`].
    pub(crate) log: Vec<String>,
}

/// Links `units`, given in any order.
pub fn link(units: &[Unit], policy: &Policy) -> Result<Link, LinkError> {
    let (units, code) = load::pack(units)?;
    let decided = decide(&units, code, policy)?;
    let plan = |module: Module| {
        let error = |reason: &dyn fmt::Display| LinkError::Plan {
            module_id: decided.index.module_id(module).clone(),
            reason: reason.to_string(),
        };
        let planned = decided.plan(module).map_err(|reason| error(&reason))?;
        let plan = Plan::decode(&planned.content).map_err(|reason| error(&reason))?;
        Ok((plan, planned.tally, planned.cost))
    };
    let planned: Vec<Result<_, LinkError>> =
        (0..decided.modules()).into_par_iter().map(plan).collect();
    let (mut plans, mut tallies, mut costs) = (Vec::new(), Vec::new(), Vec::new());
    for planned in planned {
        let (plan, tally, cost) = planned?;
        plans.push(plan);
        tallies.push(tally);
        costs.push(cost);
    }
    let mut decisions = Cursor::new(Vec::new());
    decided.write_decisions(&mut decisions).map_err(|it| LinkError::Decisions(it.to_string()))?;
    let decisions = Decisions::decode(decisions.get_ref())
        .map_err(|error| LinkError::Decisions(error.to_string()))?;
    Ok(Link {
        architecture: decided.architecture().to_owned(),
        mode: decided.mode,
        device_runtime: decided.device_runtime,
        plans,
        tallies,
        costs,
        decisions,
        removed_kernels: decided.removed_kernels,
        removed_variables: decided.removed_variables,
        warnings: decided.warnings,
        log: decided.log,
    })
}

/// Decides everything about `units`, given in any order, with their code.
pub(crate) fn decide<'units>(
    units: &'units [program::Unit],
    code: Vec<Code>,
    policy: &Policy,
) -> Result<Decided<'units>, LinkError> {
    let units = in_module_order(units)?;
    let index = Index::new(&units, code, policy.link_order.as_ref())?;
    let agreement = consensus::agree(&index.units, &policy.options.settings)?;
    let mode = Mode::decide(&units, policy.mode);
    let host = Host::new(&units, &index, policy);
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
    let candidates = Candidates::new(&index, &liveness, &policy.imports);
    let closing = Closing::new(&index, &liveness, &candidates, policy);
    let (imports, attributes) = rayon::join(
        || imports::plan(&index, &liveness, &candidates, &closing, policy),
        || policy.propagate_attributes.then(|| Attributes::propagate(&index, &host, &liveness)),
    );
    let exported = resolve::exported(&index, &imports);
    debug_assert!(
        (0..index.len()).all(|node| !exported[node] || closing.stays(node)),
        "what a module needs of others stays"
    );
    let others = Others::new(&index, &exported, attributes.as_ref());
    let need_of_runtime = mode::need_of_device_runtime(&units, &undefined);
    let library = mode::defined_by_device_runtime(&units);
    let log = log(&mode, need_of_runtime.as_deref(), &agreement, &liveness.virtual_calls);
    let unknown_keeps = liveness
        .unknown_keeps
        .iter()
        .map(|name| format!("--keep {name}: no module defines a symbol of that name"));
    let dynamic_shared = DynamicShared::new(&units, &index);
    let unknown_code = host.has_unknown_code();
    let warnings = (host.warnings.iter().cloned())
        .chain(mode.opaque.filter(|_| policy.complete_host_info && !unknown_code))
        .chain(mode.warnings)
        .chain(unknown_keeps)
        .chain(agreement.warnings)
        .chain(index.disagreements.iter().cloned())
        .chain(dynamic_shared.warnings.iter().cloned())
        .chain(undefined::warnings(&index, &host, &undefined, &library));
    Ok(Decided {
        mode: mode.extent,
        device_runtime: need_of_runtime.is_some(),
        removed_kernels: removed(&index, &liveness, |node, _| index.is_kernel(node)),
        removed_variables: removed(&index, &liveness, |node, symbol| {
            is_host_variable(&liveness, policy, symbol, node)
        }),
        warnings: warnings.collect(),
        log,
        import_metadata: policy.imports.metadata,
        dynamic_shared,
        options: PhaseOptions { settings: agreement.settings, ..policy.options.clone() },
        arithmetic: agreement.arithmetic,
        attributes,
        others,
        exported,
        imports,
        closing,
        liveness,
        index,
    })
}

impl Decided<'_> {
    /// Number of modules with device code.
    pub(crate) fn modules(&self) -> usize {
        self.index.units.len()
    }

    /// Architecture of all modules; empty when no unit has device code.
    pub(crate) fn architecture(&self) -> &str {
        self.index.units.first().map_or("", |(_, device)| &device.architecture)
    }

    /// Writes the file of the decisions about each definition, with reasons.
    pub(crate) fn write_decisions(&self, file: &mut (impl Write + Seek)) -> io::Result<()> {
        decisions::write(&self.index, &self.liveness, &self.closing, &self.imports, file)
    }

    /// What is to be printed of the imports.
    pub(crate) fn import_lines(&self) -> String {
        self.imports.iter().map(|imports| imports.lines.as_str()).collect()
    }
}

/// The names of what goes and `counts`, sorted.
fn removed(
    index: &Index<'_>,
    liveness: &Liveness,
    counts: impl Fn(Node, &Symbol<'_>) -> bool,
) -> Vec<String> {
    let names: BTreeSet<&str> = (0..index.len())
        .filter(|&node| !liveness.live[node])
        .map(|node| (node, index.symbol(node)))
        .filter(|(node, symbol)| counts(*node, symbol))
        .map(|(_, symbol)| symbol.name())
        .collect();
    names.into_iter().map(str::to_owned).collect()
}

/// Whether it is a variable that the host could have seen.
fn is_host_variable(liveness: &Liveness, policy: &Policy, symbol: &Symbol<'_>, node: Node) -> bool {
    let is_visible = policy.roots.variables_used.is_some()
        && !symbol.linkage.is_local()
        && matches!(symbol.address_space, 1 | 4);
    symbol.variable().is_some() && (liveness.fixed[node] || is_visible)
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
        (None, count) => log.push(format!("virtual calls: slots whose targets are known: {count}")),
    }
    log
}

/// Checks all units against each other, and sorts them by module id.
fn in_module_order(units: &[program::Unit]) -> Result<Vec<&program::Unit>, LinkError> {
    let mut units: Vec<&program::Unit> = units.iter().collect();
    units.sort_by(|first, second| {
        let by_id = first.module_id.cmp(&second.module_id);
        by_id.then_with(|| first.path.cmp(&second.path))
    });
    for [first, second] in units.array_windows() {
        if first.module_id == second.module_id {
            return Err(LinkError::DuplicateModule {
                module_id: first.module_id.clone(),
                first: first.path.clone(),
                second: second.path.clone(),
            });
        }
    }
    check_same_target(&units)?;
    check_plan_paths(&units)?;
    Ok(units)
}

fn check_same_target(units: &[&program::Unit]) -> Result<(), LinkError> {
    let mut devices = units.iter().filter_map(|unit| Some((unit, unit.device.as_ref()?)));
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
                    first_value: expected.to_string(),
                    second: second.path.clone(),
                    second_value: found.to_string(),
                });
            }
        }
    }
    Ok(())
}

/// `a` has the plan `a.plan`, and `a.plan/b` has `a.plan/b.plan`: not both can be written.
fn check_plan_paths(units: &[&program::Unit]) -> Result<(), LinkError> {
    let by_id: BTreeMap<&str, &program::Unit> = units
        .iter()
        .filter(|unit| unit.device.is_some())
        .map(|unit| (unit.module_id.as_str(), *unit))
        .collect();
    for (id, inside) in &by_id {
        for (position, _) in id.match_indices(".plan/") {
            if let Some(file) = by_id.get(&id[..position]) {
                return Err(LinkError::PlanPaths {
                    file: file.module_id.clone(),
                    inside: inside.module_id.clone(),
                    first: file.path.clone(),
                    second: inside.path.clone(),
                });
            }
        }
    }
    Ok(())
}
