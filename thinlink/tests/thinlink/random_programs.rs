//! Laws that hold for every program, on pseudo-random ones: the result does not depend on the order
//! of inputs or on threads, and what the plans leave can be linked.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;

use dev_random::Xorshift64Star;
use thinlink::{
    ClosingPolicy, ImportModel, ImportPolicy, LinkError, ModeChoice, Packing, Policy, RootPolicy,
    Unit,
};
use weft_artifact::Linkage::{
    AvailableExternally, External, Internal, LinkonceAny, LinkonceOdr, WeakAny, WeakOdr,
};
use weft_artifact::{
    Body, DeviceModule, HostEntryKind, Linkage, ModuleId, Plan, Resolution, Symbol, SymbolIndex,
    VirtualCallOutcome, promoted_name,
};

use crate::links::{Link, complete, link_units};
use crate::support::{Module, TestResult, constant, device_variable, literal, units};

/// Returns the random numbers of a seed. Seeds here are one more than those of the sequences.
pub(crate) fn random(seed: u64) -> Xorshift64Star {
    Xorshift64Star::new(seed.wrapping_sub(1))
}

const MODULES: usize = 12;
const SYMBOLS: usize = 10;
const MERGED: [Linkage; 5] = [LinkonceOdr, WeakOdr, LinkonceAny, WeakAny, AvailableExternally];

/// Modules with kernels, global and local functions and variables, and merged functions that
/// several of them define, calling and naming each other at random.
pub(crate) fn program(seed: u64) -> Result<Vec<Unit>, Box<dyn Error>> {
    let mut random = random(seed);
    let modules: Vec<_> = (0..MODULES).map(|module| random_module(&mut random, module)).collect();
    units(&modules)
}

fn random_module(random: &mut Xorshift64Star, module: usize) -> Module {
    let mut built = Module::new(&format!("m{module}.cu"));
    let mut names = Vec::new();
    for symbol in 0..SYMBOLS {
        let name = match random.below(6) {
            0..3 => format!("local{symbol}"),
            3 => format!("merged{}", random.below(2 * SYMBOLS)),
            _ => format!("global{module}_{symbol}"),
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in &names {
        let linkage = match &name[..1] {
            "l" => Internal,
            "m" => *random.pick(&MERGED),
            _ => External,
        };
        let edges: Vec<String> = (0..random.below(4)).map(|_| target(random, &names)).collect();
        let (calls, references) = edges.split_at(random.below(edges.len() + 1));
        let calls: Vec<&str> = calls.iter().map(String::as_str).collect();
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        // A merged symbol is of one kind in all modules.
        let function = linkage != External && linkage != Internal || !random.one_in(3);
        built = if function {
            let count = u32::try_from(random.below(1500)).unwrap_or_default();
            built.function(name, linkage, &calls).instructions(name, count).flags(name, |flags| {
                flags.no_inline = random.one_in(10);
                flags.always_inline = random.one_in(10);
            })
        } else {
            let facts = [constant(), literal(), device_variable()];
            built.variable(name, linkage, random.pick(&facts).clone())
        };
        built = built.refers(name, &references);
        // A used local keeps its module out of a job with others that have its name.
        if random.one_in(if linkage == Internal { 100 } else { 20 }) {
            built = built.used(name);
        }
        if function && random.one_in(6) {
            built = built.virtual_call(name, "Base", 8 * random.below(2) as u64);
        }
    }
    let kernel = format!("kernel{module}");
    let own: Vec<&str> =
        names.iter().filter(|name| name.starts_with("local")).map(String::as_str).collect();
    let has_table = random.one_in(3) && own.len() > 1;
    if has_table {
        let slots = [*random.pick(&own), *random.pick(&own)];
        built = built.table(&format!("_ZTV{module}"), External, &slots, &["Base"]);
    }
    let calls: Vec<String> = (0..3).map(|_| target(random, &names)).collect();
    built = built.kernel(&kernel, &calls.iter().map(String::as_str).collect::<Vec<_>>());
    if has_table {
        built = built.refers(&kernel, &[&format!("_ZTV{module}")]);
    }
    if let Some(name) = names.iter().find(|name| name.starts_with("global")) {
        built = built.entry(name, HostEntryKind::Variable, random.one_in(2));
    }
    if random.one_in(2) { built.host_refers_to(&kernel) } else { built }
}

/// Something that the module defines or that another may.
fn target(random: &mut Xorshift64Star, own: &[String]) -> String {
    match random.below(3) {
        0 => random.pick(own).clone(),
        1 => format!("merged{}", random.below(2 * SYMBOLS)),
        _ => format!("global{}_{}", random.below(MODULES), random.below(SYMBOLS)),
    }
}

fn policies() -> [Policy; 19] {
    let kernels =
        RootPolicy { kernels_used: Some(vec!["kernel1".to_owned()]), ..RootPolicy::default() };
    let everything = RootPolicy { compute_dead: false, ..RootPolicy::default() };
    let by = |imports| Policy { imports, ..complete() };
    let all = ImportPolicy { force_all: true, all_index: true, ..ImportPolicy::default() };
    let closing = |is_on, closure_limit, growth_percent| Policy {
        closing: ClosingPolicy { is_on, closure_limit, growth_percent },
        ..complete()
    };
    let packed = |packing| Policy { packing, ..complete() };
    [
        complete(),
        closing(false, 0, 0),
        closing(true, 3000, 100),
        closing(true, u32::MAX, 0),
        closing(true, u32::MAX, 1000),
        by(ImportPolicy::of(ImportModel::Llvm)),
        by(all),
        by(ImportPolicy { copy_limit: Some(20), ..ImportPolicy::default() }),
        Policy::default(),
        Policy { optimize_unused_variables: true, ..complete() },
        Policy { mode: ModeChoice::ForcePartial, ..complete() },
        Policy { roots: kernels, ..complete() },
        Policy { roots: everything, ..complete() },
        packed(Packing::Whole),
        packed(Packing::Number(2)),
        packed(Packing::Size(64)),
        Policy { packing: Packing::Size(1024), ..closing(false, 0, 0) },
        Policy { packing: Packing::Whole, ..Policy::default() },
        Policy { keep: ["*1_[0-4]".to_owned()].into(), devirtualize: false, ..complete() },
    ]
}

/// Links on the threads of `pool`.
pub(crate) fn linked_on(
    pool: &rayon::ThreadPool,
    units: &[Unit],
    policy: &Policy,
) -> Result<Link, Box<dyn Error>> {
    pool.install(|| link_units(units, policy).map_err(|error| error.to_string()))
        .map_err(Into::into)
}

#[test]
fn order_of_inputs_and_number_of_threads_change_nothing() -> TestResult {
    for seed in 1..20 {
        let mut units = program(seed)?;
        let packed = Policy { packing: Packing::Size(1024), ..complete() };
        for policy in [complete(), packed] {
            let expected = link_units(&units, &policy)?;
            for threads in [1, 2, 4] {
                Xorshift64Star::of_state(seed).shuffle(&mut units);
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
                let link = linked_on(&pool, &units, &policy)?;
                assert_eq!(link, expected, "seed {seed}, {threads} threads, {policy:?}");
            }
        }
    }
    Ok(())
}

#[test]
fn what_the_plans_leave_can_be_linked() -> TestResult {
    let (mut imported, mut direct, mut copied, mut bundled) = (0, 0, 0, 0);
    for seed in 1..200 {
        let units = program(seed)?;
        for policy in policies() {
            let link = match link_units(&units, &policy) {
                Err(error) if matches!(error.downcast_ref(), Some(LinkError::Bundle { .. })) => {
                    continue;
                }
                outcome => outcome?,
            };
            bundled += link.plans.iter().map(|plan| plan.members.len()).sum::<usize>();
            let program = Linked::new(&units, &link)?;
            program.check().map_err(|fault| format!("seed {seed}, {policy:?}: {fault}"))?;
            direct += link.plans.iter().map(|plan| plan.virtual_calls.len()).sum::<usize>();
            let lists = link.plans.iter().flat_map(|plan| &plan.imports);
            copied += lists.map(|list| list.copies.len()).sum::<usize>();
            imported += link.tallies.iter().map(|tally| tally.imports).sum::<usize>();
        }
    }
    assert!(imported > 1000, "the programs are too simple: {imported} imports");
    assert!(copied > 1000, "the programs are too simple: {copied} copies");
    assert!(bundled > 1000, "the programs are too simple: {bundled} bundled modules");
    assert!(direct > 1000, "the programs are too simple: {direct} virtual calls");
    Ok(())
}

/// Importer, source and symbol of every import.
pub(crate) fn all_imports(link: &Link) -> BTreeSet<[String; 3]> {
    let lists = link.plans.iter().flat_map(|plan| {
        plan.imports.iter().map(move |list| (&plan.module_id, &list.module_id, &list.symbols))
    });
    lists
        .flat_map(|(module, source, symbols)| {
            symbols
                .iter()
                .map(move |symbol| [module.to_string(), source.to_string(), symbol.clone()])
        })
        .collect()
}

/// The program after every import phase, as a linker of names would see it.
struct Linked<'a> {
    units: &'a [Unit],
    link: &'a Link,
    devices: BTreeMap<&'a str, &'a DeviceModule>,
    /// Number of modules that emit a visible definition of each name.
    emitted: BTreeMap<String, usize>,
    defined: BTreeSet<&'a str>,
}

impl<'a> Linked<'a> {
    fn new(units: &'a [Unit], link: &'a Link) -> Result<Self, Box<dyn Error>> {
        let mut linked = Self {
            units,
            link,
            devices: BTreeMap::new(),
            emitted: BTreeMap::new(),
            defined: BTreeSet::new(),
        };
        for unit in units {
            let device = unit.summary.device.as_ref().ok_or("no device code")?;
            let module = unit.summary.module_id.as_str();
            linked.devices.insert(module, device);
            for symbol in device.symbols.iter().filter(|symbol| symbol.is_definition()) {
                let resolution = linked.resolution(module, &symbol.name);
                let name = match resolution {
                    Some(Resolution::Promote) if symbol.used => {
                        return Err(format!("used local {} is promoted", symbol.name).into());
                    }
                    Some(Resolution::Promote) => {
                        promoted_name(&unit.summary.module_id, &symbol.name)
                    }
                    Some(Resolution::Keep) | None if !symbol.linkage.is_local() => {
                        symbol.name.clone()
                    }
                    _ => continue,
                };
                if symbol.linkage != AvailableExternally {
                    *linked.emitted.entry(name).or_default() += 1;
                }
            }
            let global = device.symbols.iter().filter(|symbol| {
                symbol.is_definition()
                    && !symbol.linkage.is_local()
                    && symbol.linkage != AvailableExternally
            });
            linked.defined.extend(global.map(|symbol| symbol.name.as_str()));
        }
        Ok(linked)
    }

    fn resolution(&self, module: &str, name: &str) -> Option<&'a Resolution> {
        let plan = self.plan(module)?;
        if plan.is_empty {
            return Some(&Resolution::Remove);
        }
        let member = plan.members.iter().find(|member| member.module_id.as_str() == module);
        let mut symbols = member.map_or(&plan.symbols, |member| &member.symbols).iter();
        Some(&symbols.find(|symbol| symbol.name == name)?.resolution)
    }

    /// The plan in which `module` is compiled.
    fn plan(&self, module: &str) -> Option<&'a Plan> {
        let is_member = |id: &ModuleId| id.as_str() == module;
        let bundle = |plan: &&Plan| plan.members.iter().any(|member| is_member(&member.module_id));
        let mut plans = self.link.plans.iter();
        let bundle = plans.clone().find(bundle);
        bundle.or_else(|| plans.find(|plan| is_member(&plan.module_id)))
    }

    /// The modules that are compiled together with `module`.
    fn members(&self, module: &str) -> impl Iterator<Item = &'a str> {
        let plan = self.plan(module).into_iter();
        plan.flat_map(|plan| {
            let members = plan.members.iter().map(|member| member.module_id.as_str());
            std::iter::once(plan.module_id.as_str()).chain(members)
        })
    }

    /// The fate of the definition of the visible name `name` that `module`, or another member
    /// of its bundle, keeps.
    fn visible(&self, module: &str, name: &str) -> Option<&'a Resolution> {
        let kept = self.members(module).filter(|member| {
            let symbol = find(self.devices[*member], name);
            symbol.is_some_and(|symbol| symbol.is_definition() && !symbol.linkage.is_local())
        });
        let mut kept = kept.filter_map(|member| self.resolution(member, name));
        kept.find(|resolution| **resolution != Resolution::Remove)
    }

    fn check(&self) -> Result<(), String> {
        for plan in &self.link.plans {
            self.check_virtual_calls(plan)?;
            let sorted = plan.symbols.is_sorted_by(|first, second| first.name < second.name)
                && plan.imports.is_sorted_by(|first, second| first.module_id < second.module_id)
                && plan.imports.iter().all(|list| list.symbols.is_sorted_by(|a, b| a < b));
            if !sorted {
                return Err(format!("the plan of {} is not sorted and unique", plan.module_id));
            }
        }
        if let Some((name, count)) = self.emitted.iter().find(|(_, count)| **count != 1) {
            return Err(format!("{name} is emitted {count} times"));
        }
        for unit in self.units {
            let module = unit.summary.module_id.as_str();
            let own = self.devices[module].symbols.iter().filter(|symbol| {
                symbol.is_definition()
                    && self.resolution(module, &symbol.name) != Some(&Resolution::Remove)
            });
            for symbol in own {
                self.check_body(module, module, symbol, &mut BTreeSet::new())?;
            }
            for list in self.plan(module).into_iter().flat_map(|plan| &plan.imports) {
                for name in &list.symbols {
                    let source = list.module_id.as_str();
                    let symbol = find(self.devices[source], name).ok_or("import of nothing")?;
                    if symbol.linkage.is_interposable() || !symbol.is_definition() {
                        return Err(format!("{module} imports {name}, which may be another"));
                    }
                    let resolution = self.resolution(source, name);
                    // LLVM's model may take another copy than the one that prevails.
                    let is_copy = resolution == Some(&Resolution::AvailableExternally)
                        && self.emitted.contains_key(name);
                    let stays =
                        matches!(resolution, None | Some(Resolution::Keep | Resolution::Promote));
                    if !stays && !is_copy && !list.copies.contains(name) {
                        return Err(format!("{module} imports {name}, a {resolution:?}"));
                    }
                    self.check_body(module, source, symbol, &mut BTreeSet::new())?;
                }
            }
        }
        Ok(())
    }

    /// Checks that every function that a plan makes virtual calls call is there: emitted by some
    /// module, or by the module itself under a name of its own.
    fn check_virtual_calls(&self, plan: &Plan) -> Result<(), String> {
        let module = plan.module_id.as_str();
        for resolution in &plan.virtual_calls {
            let VirtualCallOutcome::Calls(names) = &resolution.outcome else { continue };
            for name in names {
                let is_own = self.members(module).any(|member| {
                    let mut symbols = self.devices[member].symbols.iter();
                    symbols.any(|symbol| {
                        let resolution = self.resolution(member, &symbol.name);
                        let goes = [Some(&Resolution::Remove), Some(&Resolution::Promote)];
                        let is_named = match resolution {
                            Some(Resolution::Rename) => {
                                let id = ModuleId::new(member);
                                id.is_ok_and(|id| promoted_name(&id, &symbol.name) == *name)
                            }
                            _ => symbol.name == *name,
                        };
                        is_named && symbol.is_definition() && !goes.contains(&resolution)
                    })
                });
                let is_copied = plan.imports.iter().any(|list| {
                    list.copies
                        .iter()
                        .any(|copy| copy == name || promoted_name(&list.module_id, copy) == *name)
                });
                if !is_own && !is_copied && !self.emitted.contains_key(name) {
                    return Err(format!("{module}: nothing provides {name} to a virtual call"));
                }
            }
        }
        Ok(())
    }

    /// Whether calls in `module` of what `source` calls `callee` go to a copy of the module's own.
    fn has_copy(&self, module: &str, source: &str, callee: &Symbol) -> bool {
        let mut lists = self.plan(module).into_iter().flat_map(|plan| &plan.imports);
        let is_local = callee.linkage.is_local();
        lists.any(|list| {
            list.copies.contains(&callee.name) && (!is_local || list.module_id.as_str() == source)
        }) || !is_local && self.visible(module, &callee.name) == Some(&Resolution::Localize)
    }

    /// Whether all that `symbol` of `source` names can be found once its body is in `module`.
    fn check_body(
        &self,
        module: &str,
        source: &'a str,
        symbol: &'a Symbol,
        copied: &mut BTreeSet<&'a str>,
    ) -> Result<(), String> {
        let device = self.devices[source];
        let called = calls(symbol).filter(|&callee| {
            let callee = device.symbol(callee);
            !callee.is_some_and(|callee| self.has_copy(module, source, callee))
        });
        for target in called.chain(references(symbol)).filter_map(|index| device.symbol(index)) {
            let own = self.visible(module, &target.name);
            let is_near = self.members(module).any(|member| member == source);
            let found = if target.linkage.is_local() {
                let resolution = self.resolution(source, &target.name);
                let copyable = target.variable().is_some_and(|variable| variable.copyable);
                if is_near {
                    resolution != Some(&Resolution::Remove)
                } else if copyable {
                    if copied.insert(&target.name) {
                        self.check_body(module, source, target, copied)?;
                    }
                    true
                } else {
                    resolution == Some(&Resolution::Promote)
                }
            } else if own == Some(&Resolution::Internalize) {
                !self.emitted.contains_key(&target.name)
            } else {
                self.emitted.contains_key(&target.name)
                    || !self.defined.contains(target.name.as_str())
            };
            if !found {
                let (name, body) = (&target.name, &symbol.name);
                return Err(format!("{module}: nothing provides {name} to {body} of {source}"));
            }
        }
        Ok(())
    }
}

fn find<'a>(device: &'a DeviceModule, name: &str) -> Option<&'a Symbol> {
    device.symbols.iter().find(|symbol| symbol.name == name)
}

fn calls(symbol: &Symbol) -> impl Iterator<Item = SymbolIndex> + '_ {
    let calls = symbol.function().map_or(&[][..], |function| &function.calls);
    calls.iter().map(|call| call.callee)
}

fn references(symbol: &Symbol) -> Box<dyn Iterator<Item = SymbolIndex> + '_> {
    match &symbol.body {
        Body::Function(function) => Box::new(function.references.iter().copied()),
        Body::Variable(variable) => Box::new(variable.references.iter().copied()),
        Body::Alias(alias) => Box::new(std::iter::once(alias.target)),
        Body::Declaration(_) => Box::new(std::iter::empty()),
    }
}
