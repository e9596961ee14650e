//! The thin link as a function from summaries to decisions.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use weft_artifact::{ImportList, Plan, Resolution, SymbolResolution};

use crate::host::Host;
use crate::imports::policy::ImportPolicy;
use crate::imports::{self, Imports};
use crate::index::{Index, Module, Node};
use crate::liveness::Liveness;
use crate::load::{self, Unit};
use crate::{LinkError, program, resolve};

/// What the decisions go by, besides the summaries.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy {
    /// The summaries cover every host object, so what they do not mention is not referenced.
    pub complete_host_info: bool,
    /// Which bodies go into other modules.
    pub imports: ImportPolicy,
    /// Variables that the host could see go as well, if nothing refers to them.
    pub optimize_unused_variables: bool,
    /// Symbols that stay.
    pub keep: BTreeSet<String>,
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

/// What was decided, over the units it was decided about. Plans are made of it one by one, as all of
/// them together take more space than all decisions.
pub(crate) struct Decisions<'units> {
    index: Index<'units>,
    liveness: Liveness,
    imports: Vec<Imports>,
    exported: Vec<bool>,
    import_metadata: bool,
    warnings: Vec<String>,
}

/// Links `units`, given in any order.
pub fn link(units: &[Unit], policy: &Policy) -> Result<Link, LinkError> {
    let units = load::pack(units)?;
    let decisions = decide(&units, policy)?;
    let plans = (0..decisions.modules()).into_par_iter().map(|module| decisions.plan(module));
    let (plans, tallies) = plans.unzip();
    Ok(Link {
        architecture: decisions.architecture().to_owned(),
        plans,
        tallies,
        removed_kernels: decisions.removed_kernels(),
        removed_variables: decisions.removed_variables(),
        warnings: decisions.warnings,
    })
}

/// Decides everything about `units`, given in any order.
pub(crate) fn decide<'units>(
    units: &'units [program::Unit],
    policy: &Policy,
) -> Result<Decisions<'units>, LinkError> {
    let units = in_module_order(units)?;
    let index = Index::new(&units)?;
    let host = Host::new(&units, policy);
    let liveness = Liveness::new(&index, &host, policy);
    let imports = imports::plan(&index, &liveness, policy);
    let exported = resolve::exported(&index, &imports);
    let unknown_keeps = liveness
        .unknown_keeps
        .iter()
        .map(|name| format!("--keep {name}: no module defines a symbol of that name"));
    let warnings = host.warnings.into_iter().chain(unknown_keeps).collect();
    let import_metadata = policy.imports.metadata;
    Ok(Decisions { index, liveness, imports, exported, import_metadata, warnings })
}

impl Decisions<'_> {
    /// Number of modules with device code.
    pub(crate) fn modules(&self) -> usize {
        self.index.units.len()
    }

    /// Architecture of all modules; empty when no unit has device code.
    pub(crate) fn architecture(&self) -> &str {
        self.index.units.first().map_or("", |(_, device)| &device.architecture)
    }

    /// What the user should hear though it stops nothing.
    pub(crate) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The plan of a module, in module-id order, and what happened to its definitions.
    pub(crate) fn plan(&self, module: Module) -> (Plan, Tally) {
        let (index, imports) = (&self.index, &self.imports[module]);
        let symbols = resolve::resolutions(index, &self.liveness, &self.exported, module);
        let definitions = index.nodes(module).filter(|&node| index.is_definition(node)).count();
        let tally = tally(definitions, imports, &symbols);
        let plan = Plan {
            module_id: index.module_id(module).clone(),
            architecture: self.architecture().to_owned(),
            symbols,
            imports: import_lists(index, imports),
            import_metadata: self.import_metadata,
        };
        (plan, tally)
    }

    /// What was decided of every candidate of `module`, as lines for people.
    pub(crate) fn describe(&self, module: Module, printed: imports::Printed) -> String {
        imports::describe(&self.index, module, &self.imports[module], printed)
    }

    /// Kernels that go because nothing refers to them, sorted.
    pub(crate) fn removed_kernels(&self) -> Vec<String> {
        self.removed(|node| self.index.is_kernel(node))
    }

    /// Variables the host could see that go because nothing refers to them, sorted.
    pub(crate) fn removed_variables(&self) -> Vec<String> {
        self.removed(|node| {
            self.liveness.fixed[node] && self.index.symbol(node).variable().is_some()
        })
    }

    fn removed(&self, counts: impl Fn(Node) -> bool) -> Vec<String> {
        let names: BTreeSet<&str> = (0..self.index.len())
            .filter(|&node| !self.liveness.live[node] && counts(node))
            .map(|node| self.index.symbol(node).name)
            .collect();
        names.into_iter().map(str::to_owned).collect()
    }
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

/// Nodes are numbered by module and then by name, so sorted nodes give sorted lists.
fn import_lists(index: &Index<'_>, imports: &Imports) -> Vec<ImportList> {
    let module = |node: u32| index.module(node as usize);
    imports
        .imported
        .chunk_by(|&first, &second| module(first) == module(second))
        .map(|nodes| ImportList {
            module_id: index.module_id(module(nodes[0])).clone(),
            symbols: nodes.iter().map(|&it| index.symbol(it as usize).name.to_owned()).collect(),
        })
        .collect()
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
