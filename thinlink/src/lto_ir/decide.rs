//! The orders for the job of each module of LTO IR.

use std::collections::BTreeSet;

use weft_artifact::{LtoIrPlan, LtoIrRole, LtoIrSymbol, promoted_name};

use crate::analyses::liveness::Liveness;
use crate::closing::{Closing, End, KernelClosure};
use crate::model::error::LinkError;
use crate::model::ids::{Id as _, ModuleIndex, NodeId, PerModule, PerNode, number_of};
use crate::model::index::Index;
use crate::model::program::Function;

use super::locals::check_name;
use super::program::{Memory, Program};
use super::sharing::Sharing;
use super::units::units;

/// NVPTX's address space of constant memory.
const CONSTANT: u32 = 4;
/// Alignment of constants that jobs share, in bytes: that of the largest load. In a module that it
/// sees as a whole, ptxas relies on the addresses of variables, and loads adjacent values at once.
const CONSTANT_ALIGNMENT: u32 = 16;

/// The jobs of all modules of LTO IR.
pub(crate) struct LtoIr {
    /// For each module, its job; `None` for bitcode.
    jobs: PerModule<Option<Job>>,
    /// Definitions in bitcode that jobs need, sorted.
    needed_bitcode: Vec<NodeId>,
}

/// The job of one module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Job {
    pub(crate) orders: LtoIrPlan,
    /// Modules of `orders.units`, in the same order; none if the job emits nothing.
    pub(crate) units: Vec<ModuleIndex>,
    /// Kernels that the job emits, with what they reach.
    pub(crate) kernels: Vec<KernelClosure>,
    /// Functions and kernels that the job compiles, sorted.
    pub(crate) compiled: Vec<NodeId>,
    /// Instructions that the job compiles.
    pub(crate) cost: u64,
}

impl LtoIr {
    /// States what the jobs need of bitcode, and how their kernels are closed.
    pub(crate) fn tell(&self, exported: &mut PerNode<bool>, closing: &mut Closing) {
        for &node in &self.needed_bitcode {
            exported[node] = true;
        }
        for (module, job) in (0..).map(ModuleIndex::new).zip(self.jobs.iter()) {
            if let Some(job) = job {
                closing.set_kernels(module, job.kernels.clone());
            }
        }
    }

    /// Returns the job of `module`, if that is LTO IR.
    pub(crate) fn job(&self, module: ModuleIndex) -> Option<&Job> {
        self.jobs.get(module.index())?.as_ref()
    }
}

/// Decides the jobs. `exported` says for each node whether a module of bitcode needs it, and
/// `copy_limit` is the largest function that several jobs compile.
pub(crate) fn decide(
    index: &Index<'_>,
    liveness: &Liveness,
    exported: &PerNode<bool>,
    copy_limit: Option<u32>,
) -> Result<LtoIr, LinkError> {
    if !index.modules().any(|module| index.is_lto_ir(module)) {
        return Ok(LtoIr { jobs: PerModule::default(), needed_bitcode: Vec::new() });
    }
    let program = Program::new(index, liveness, exported, copy_limit);
    let sharing = Sharing::new(&program);
    let mut jobs = PerModule::filled(None, index.units.len());
    for module in index.modules().filter(|&module| index.is_lto_ir(module)) {
        jobs[module] = Some(empty(index, module));
    }
    for module in program.modules() {
        jobs[module] = Some(job(&program, &sharing, module)?);
    }
    let mut needed_bitcode: Vec<NodeId> =
        sharing.reached.iter().flat_map(|job| &job.bitcode).copied().collect();
    needed_bitcode.sort_unstable();
    needed_bitcode.dedup();
    Ok(LtoIr { jobs, needed_bitcode })
}

/// Returns the job of a module that emits nothing, or whose definitions another job emits.
fn empty(index: &Index<'_>, module: ModuleIndex) -> Job {
    let orders = LtoIrPlan { ptx_version: ptx_version(index, module), ..LtoIrPlan::default() };
    Job { orders, ..Job::default() }
}

fn ptx_version(index: &Index<'_>, module: ModuleIndex) -> String {
    let facts = index.units[module].1.lto_ir.as_ref();
    facts.map_or_else(String::new, |facts| facts.ptx_version.clone())
}

fn job(
    program: &Program<'_, '_>,
    sharing: &Sharing,
    module: ModuleIndex,
) -> Result<Job, LinkError> {
    let index = program.index;
    let units = units(program, sharing, module);
    if units.is_empty() {
        return Ok(empty(index, module));
    }
    let reached = &sharing.reached[module];
    let mut kernels: Vec<NodeId> =
        program.providers(module).filter(|&node| program.is_kernel(node)).collect();
    kernels.sort_unstable_by_key(|&node| index.name(node));
    let mut symbols = Vec::new();
    let mut add = |node: NodeId, emitter: ModuleIndex| -> Result<(), LinkError> {
        check_name(program, &units, node)?;
        let role = match emitter {
            emitter if emitter == module => LtoIrRole::Define,
            _ if is_overridden(program, &units, node) => LtoIrRole::Overridden,
            _ => LtoIrRole::Extern,
        };
        let linked_name = linked_name(program, node);
        let name = index.name(node).to_owned();
        let is_constant = index.address_space(node) == CONSTANT && index.is_lto_ir(emitter);
        let alignment = is_constant.then_some(CONSTANT_ALIGNMENT);
        symbols.push(LtoIrSymbol { name, linked_name, role, alignment });
        Ok(())
    };
    let mut used_variables = BTreeSet::new();
    for &variable in &reached.variables {
        let Some(emitter) = sharing.emitter(program, variable) else {
            // Functions that the job emits for others may write what its kernels read.
            let through = &sharing.through_functions[module].variables;
            if program.memory(variable) == Some(Memory::Written)
                && through.binary_search(&variable).is_ok()
            {
                used_variables.insert(index.name(variable).to_owned());
            }
            continue;
        };
        add(variable, emitter)?;
        // nvlink must not fold variables that other code writes or that others get from this job.
        let may_be_folded = match program.memory(variable) {
            Some(Memory::Written) => !has_definition(program, &units, variable),
            Some(Memory::SmallConstant | Memory::LargeConstant) => {
                emitter != module && !has_another(program, &units, variable)
            }
            Some(Memory::Block) | None => true,
        };
        if !may_be_folded {
            used_variables.insert(index.name(variable).to_owned());
        }
    }
    for &function in &reached.functions {
        if let Some(emitter) = sharing.emitted.emitter(program, function) {
            add(function, emitter)?;
        }
    }
    for &function in reached.foreign.iter().filter(|&&node| index.is_function(node)) {
        add(function, index.module(function))?;
    }
    // nvlink would take the job's own definition for the program's.
    let of_bitcode = reached.bitcode.iter().copied();
    for node in of_bitcode.filter(|&node| has_definition(program, &units, node)) {
        if index.is_kernel(node) {
            continue;
        }
        add(node, index.module(node))?;
        if !index.is_function(node) {
            used_variables.insert(index.name(node).to_owned());
        }
    }
    for &kernel in reached.launched.iter().filter(|&&kernel| index.module(kernel) != module) {
        add(kernel, index.module(kernel))?;
    }
    symbols.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    let mut compiled: Vec<NodeId> = reached.functions.iter().chain(&kernels).copied().collect();
    compiled.sort_unstable();
    let size = |node: NodeId| index.function(node).map_or(0, Function::instruction_count);
    let cost: u64 = compiled.iter().map(|&node| u64::from(size(node))).sum();
    let end = end(program, sharing, module, &compiled);
    let closure = |&kernel: &NodeId| KernelClosure {
        kernel,
        functions: number_of(reached.functions.len()),
        instructions: u32::try_from(cost).unwrap_or(u32::MAX),
        end,
    };
    let orders = LtoIrPlan {
        ptx_version: ptx_version(index, module),
        kernels: kernels.iter().map(|&kernel| index.name(kernel).to_owned()).collect(),
        units: units.iter().map(|&unit| index.module_id(unit).clone()).collect(),
        used_variables: used_variables.into_iter().collect(),
        symbols,
    };
    let kernels = kernels.iter().map(closure).collect();
    Ok(Job { orders, units, kernels, compiled, cost })
}

/// Returns the reason for which calls leave the job of `module`, which compiles `compiled`.
fn end(
    program: &Program<'_, '_>,
    sharing: &Sharing,
    module: ModuleIndex,
    compiled: &[NodeId],
) -> Option<End> {
    let index = program.index;
    compiled.iter().find_map(|&caller| {
        let function = index.function(caller)?;
        let is_elsewhere = |callee: &NodeId| match index.provider(*callee) {
            Some(provider) if program.is_lto_ir(provider) => {
                let emitter = sharing.emitted.emitter(program, provider);
                emitter.is_some_and(|emitter| emitter != module)
            }
            Some(_) => true,
            None => false,
        };
        let mut callees = function.calls().iter().map(|call| call.callee());
        let elsewhere = callees.find(is_elsewhere).map(|callee| {
            let provider = index.provider(callee);
            if provider.is_some_and(|provider| program.is_over_copy_limit(module, provider)) {
                End::OverCopyLimit { caller, callee }
            } else {
                End::Fixed { caller, callee }
            }
        });
        elsewhere.or_else(|| function.calls_indirectly().then_some(End::Indirect { caller }))
    })
}

/// Returns the name of the shared definition at `node` in the program, if it differs: a local gets
/// a name that no other module has, unless the host uses its name.
fn linked_name(program: &Program<'_, '_>, node: NodeId) -> Option<String> {
    let index = program.index;
    let is_renamed = index.is_local(node) && !program.liveness.fixed[node];
    is_renamed.then(|| promoted_name(index.module_id(index.member(node)), index.name(node)))
}

/// Whether nvlink would take a function of the job, which reads `units`, for the program's function
/// at `node`. Each job may have a copy of an inline function of bitcode.
fn is_overridden(program: &Program<'_, '_>, units: &[ModuleIndex], node: NodeId) -> bool {
    let (index, linkage) = (program.index, program.index.linkage(node));
    let is_inline = linkage.is_merged() && !linkage.is_interposable();
    index.is_function(node) && !is_inline && has_another(program, units, node)
}

/// Whether `units` have another, weak definition of the name of `node`, and not `node` itself.
fn has_another(program: &Program<'_, '_>, units: &[ModuleIndex], node: NodeId) -> bool {
    let index = program.index;
    !index.is_local(node)
        && !units.contains(&index.member(node))
        && !program.is_equal_everywhere(node)
        && has_definition(program, units, node)
}

/// Whether one of `units` has a definition of the name of `node`.
fn has_definition(program: &Program<'_, '_>, units: &[ModuleIndex], node: NodeId) -> bool {
    let index = program.index;
    index.definitions(node).iter().any(|&copy| units.contains(&index.member(copy)))
}
