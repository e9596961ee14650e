//! The definitions that several jobs share, and the module that emits each.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::model::ids::{ModuleIndex, NodeId, PerModule, PerNode};

use super::program::{Memory, Program};
use super::reach::{Explorer, Reached};
use super::roots::Emitted;

/// Symbols that each job reaches, and those that several share.
pub(super) struct Sharing {
    /// For each module, what its job reaches; nothing for bitcode.
    pub(super) reached: PerModule<Reached>,
    pub(super) emitted: Emitted,
    /// For each variable, whether several jobs share it, or a job and code outside all jobs.
    shared: PerNode<bool>,
    /// Shared memory of blocks that one job emits for others, with the module of that job.
    blocks: BTreeMap<NodeId, ModuleIndex>,
    /// For each module, what is reached by the functions that it emits for others. nvlink compiles
    /// these separately from the kernels of the job.
    pub(super) through_functions: PerModule<Reached>,
}

impl Sharing {
    /// Finds the shared definitions. Definitions that a job emits for others make it reach more,
    /// and then more may be shared, so the jobs are explored until nothing changes.
    pub(super) fn new(program: &Program<'_, '_>) -> Self {
        let mut emitted = Emitted::new(program);
        let reached = loop {
            let reached = explore(program, |module| emitted.roots(program, module));
            if !emit_more(program, &reached, &mut emitted) {
                break reached;
            }
        };
        let mut shared = PerNode::filled(false, program.index.len());
        for module in program.modules() {
            for &variable in &reached[module].variables {
                shared[variable] |= match program.memory(variable) {
                    Some(Memory::Written) => {
                        program.index.module(variable) != module
                            || program.is_used_outside(variable)
                    }
                    Some(Memory::SmallConstant | Memory::LargeConstant) => {
                        emitted.emitter(program, variable).is_some()
                    }
                    Some(Memory::Block) | None => false,
                };
            }
        }
        let through_functions = explore(program, |module| emitted.functions(program, module));
        let blocks = blocks(program, &reached, &through_functions);
        Self { reached, emitted, shared, blocks, through_functions }
    }

    /// Returns the module that emits the variable at `node` for other jobs, if any does.
    pub(super) fn emitter(&self, program: &Program<'_, '_>, node: NodeId) -> Option<ModuleIndex> {
        let of_definer = || self.shared[node].then(|| program.index.module(node));
        self.blocks.get(&node).copied().or_else(of_definer)
    }
}

/// Explores the jobs of all modules of LTO IR, each from its roots.
fn explore(
    program: &Program<'_, '_>,
    roots: impl Fn(ModuleIndex) -> Vec<NodeId> + Sync,
) -> PerModule<Reached> {
    let nodes = program.index.len();
    let modules = program.index.modules().into_par();
    modules
        .map_init(
            || Explorer::new(nodes),
            |explorer, module| {
                if program.has_job(module) {
                    explorer.explore(program, module, &roots(module))
                } else {
                    Reached::default()
                }
            },
        )
        .collect()
}

/// Adds to `emitted` the functions whose addresses several jobs may compare, the large constants
/// that a job of another module reaches, and what jobs need of units that they cannot read. Returns
/// whether there were any.
///
/// A function is emitted by the first job that takes its address, by its own module's before
/// others: there nvlink keeps it as it is, while it removes a merged function that its unit does
/// not use.
fn emit_more(
    program: &Program<'_, '_>,
    reached: &PerModule<Reached>,
    emitted: &mut Emitted,
) -> bool {
    let mut jobs = PerNode::filled(0_u8, program.index.len());
    for &function in reached.iter().flat_map(|job| &job.functions) {
        jobs[function] = jobs[function].saturating_add(1);
    }
    let mut found = false;
    let of_definer = |node: NodeId| program.index.module(node);
    for module in program.modules() {
        let own = |node: NodeId| program.index.module(node) == module;
        let named = reached[module].named.iter().copied();
        for node in named.filter(|&node| jobs[node] > 1 && own(node)) {
            found |= emitted.add(program, node, module);
        }
    }
    for module in program.modules() {
        let job = &reached[module];
        for &node in job.named.iter().filter(|&&node| jobs[node] > 1) {
            found |= emitted.add(program, node, module);
        }
        for &node in &job.foreign {
            found |= emitted.add(program, node, of_definer(node));
        }
        for &variable in &job.variables {
            if program.memory(variable) == Some(Memory::LargeConstant)
                && program.index.module(variable) != module
            {
                found |= emitted.add(program, variable, of_definer(variable));
            }
        }
    }
    found
}

/// Finds the shared memory that a kernel may reach in its own job and through a function that
/// another job emits, with the module of the first job that emits such a function.
fn blocks(
    program: &Program<'_, '_>,
    reached: &PerModule<Reached>,
    through_functions: &PerModule<Reached>,
) -> BTreeMap<NodeId, ModuleIndex> {
    let is_block = |&&node: &&NodeId| program.memory(node) == Some(Memory::Block);
    let mut emitters = BTreeMap::new();
    for module in program.modules() {
        for &variable in through_functions[module].variables.iter().filter(is_block) {
            emitters.entry(variable).or_insert(module);
        }
    }
    let mut jobs: BTreeMap<NodeId, usize> = BTreeMap::new();
    for &variable in reached.iter().flat_map(|job| &job.variables).filter(is_block) {
        *jobs.entry(variable).or_default() += 1;
    }
    emitters.retain(|variable, _| jobs.get(variable).is_some_and(|&count| count > 1));
    emitters
}
