//! The program as jobs of LTO IR see it.

use std::collections::BTreeMap;

use weft_artifact::TrackedOption;

use crate::analyses::lasting_memory::{LASTING, SMALL_CONSTANT};
use crate::analyses::liveness::Liveness;
use crate::model::ids::{ModuleIndex, NodeId, PerModule, PerNode};
use crate::model::index::Index;

use super::locals_reached::locals_reached;

/// NVPTX's address space of shared memory.
const SHARED: u32 = 3;

/// The program, with facts about its variables.
pub(super) struct Program<'a, 'units> {
    pub(super) index: &'a Index<'units>,
    pub(super) liveness: &'a Liveness,
    /// For each node, whether a module of bitcode needs the definition.
    pub(super) exported: &'a PerNode<bool>,
    /// For each leader, whether some code may write the variable, or its address escapes.
    written: PerNode<bool>,
    /// For each module, the number of the arithmetic that it was compiled with.
    arithmetic: PerModule<usize>,
    /// For each module, whether a function of it is too large for other jobs.
    is_large: PerModule<bool>,
}

/// The memory of a variable, as far as jobs differ in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Memory {
    /// Something may write it.
    Written,
    /// Nothing writes it, and each job has a copy of what is left of it.
    SmallConstant,
    /// Nothing writes it, and one module emits what is left of it.
    LargeConstant,
    /// Shared memory of a block.
    Block,
}

impl<'a, 'units> Program<'a, 'units> {
    pub(super) fn new(
        index: &'a Index<'units>,
        liveness: &'a Liveness,
        exported: &'a PerNode<bool>,
        copy_limit: Option<u32>,
    ) -> Self {
        let mut written = PerNode::filled(false, index.len());
        for module in index.modules() {
            let nodes = index.own_nodes(module);
            if let Some(facts) = &index.units[module].1.lto_ir {
                for symbol in &facts.written {
                    written[index.leader(nodes.at(symbol.0))] = true;
                }
                continue;
            }
            // Bitcode does not say what it does with a variable.
            for node in nodes.filter(|&node| liveness.live[node] && index.may_be_used(node)) {
                index.for_each_reference(node, |target| written[index.leader(target)] = true);
            }
        }
        let arithmetic = arithmetic(index);
        let is_large = large_modules(index, liveness, copy_limit);
        Self { index, liveness, exported, written, arithmetic, is_large }
    }

    /// Whether the module of `node` is LTO IR.
    pub(super) fn is_lto_ir(&self, node: NodeId) -> bool {
        self.index.is_lto_ir(self.index.member(node))
    }

    /// Returns the modules of LTO IR that have a job: all but those that another's job compiles.
    pub(super) fn modules(&self) -> impl Iterator<Item = ModuleIndex> + '_ {
        self.index.modules().filter(|&module| self.has_job(module))
    }

    /// Whether `module` is LTO IR and has a job.
    pub(super) fn has_job(&self, module: ModuleIndex) -> bool {
        self.index.is_lto_ir(module) && self.index.module_of(module) == module
    }

    /// Returns the live definition in LTO IR that references to `node` bind to.
    pub(super) fn provider(&self, node: NodeId) -> Option<NodeId> {
        let provider = self.index.provider(node)?;
        (self.is_lto_ir(provider) && self.liveness.live[provider]).then_some(provider)
    }

    /// Returns the live definitions in the modules of the job of `module` that the program uses.
    pub(super) fn providers(&self, module: ModuleIndex) -> impl Iterator<Item = NodeId> + '_ {
        let nodes = self.index.nodes(module);
        nodes.filter(|&node| {
            self.index.is_definition(node)
                && self.index.prevails(node)
                && self.liveness.live[node]
                && !self.index.is_special(node)
        })
    }

    /// Whether code outside all jobs may use the definition at `node`: the host, opaque code, or a
    /// module of bitcode.
    pub(super) fn is_used_outside(&self, node: NodeId) -> bool {
        self.exported[node] || self.liveness.reasons[node].is_some()
    }

    /// Whether the job of `module` cannot read the definition at `provider`, as all units that have
    /// it differ in arithmetic or are too large.
    pub(super) fn is_foreign(&self, module: ModuleIndex, provider: NodeId) -> bool {
        if self.is_readable(module, provider) {
            return false;
        }
        let mut copies = self.index.definitions(provider).iter();
        !(self.is_equal_everywhere(provider) && copies.any(|&copy| self.is_readable(module, copy)))
    }

    /// Whether the job of `module` can read the module of `node`.
    pub(super) fn is_readable(&self, module: ModuleIndex, node: NodeId) -> bool {
        let unit = self.index.member(node);
        self.index.module(node) == module
            || self.arithmetic[unit] == self.arithmetic[module] && !self.is_large[unit]
    }

    /// Returns the definition at `provider`, or an equal one that the job of `module` reads
    /// instead: its own, or else the first. Equal definitions may name different locals.
    pub(super) fn readable(&self, module: ModuleIndex, provider: NodeId) -> NodeId {
        let mut copies = self.index.definitions(provider).iter().copied();
        let own = copies.clone().find(|&copy| self.index.module(copy) == module);
        let mut other = || own.or_else(|| copies.find(|&copy| self.is_readable(module, copy)));
        let is_read = self.is_readable(module, provider);
        if is_read { provider } else { other().unwrap_or(provider) }
    }

    /// Whether `node` is in a module of a job other than that of `module`, with a function that is
    /// too large for other jobs.
    pub(super) fn is_over_copy_limit(&self, module: ModuleIndex, node: NodeId) -> bool {
        self.index.module(node) != module && self.is_large[self.index.member(node)]
    }

    /// Returns the memory of the variable at `node`; `None` for other symbols.
    pub(super) fn memory(&self, node: NodeId) -> Option<Memory> {
        let variable = self.index.variable(node)?;
        let space = self.index.address_space(node);
        if space == SHARED {
            return Some(Memory::Block);
        }
        let is_written = self.written[self.index.leader(node)]
            || self.is_used_outside(node)
            || !LASTING.contains(&space);
        Some(if is_written {
            Memory::Written
        } else if variable.size() <= SMALL_CONSTANT {
            Memory::SmallConstant
        } else {
            Memory::LargeConstant
        })
    }

    /// Whether `node` is a kernel with a body.
    pub(super) fn is_kernel(&self, node: NodeId) -> bool {
        self.index.is_kernel(node)
    }

    /// Whether all definitions of the name of `provider` are equal, so that a job may use any.
    pub(super) fn is_equal_everywhere(&self, provider: NodeId) -> bool {
        let index = self.index;
        if !index.linkage(provider).is_merged() || self.has_own_variables(provider) {
            return false;
        }
        let content = index.content(provider);
        let is_equal = |&node: &NodeId| {
            index.linkage(node).is_merged()
                && self.is_lto_ir(node)
                && (!index.linkage(node).is_interposable()
                    || content.is_some() && index.content(node) == content)
        };
        index.definitions(provider).iter().all(is_equal)
    }

    /// Whether the merged definition at `node` has a static variable that something writes. The
    /// program has one such variable, but nvcc makes that of a `weak` function a local of the same
    /// name in each unit. A variable with a unique name belongs to its unit, and each unit uses its
    /// own.
    fn has_own_variables(&self, node: NodeId) -> bool {
        let index = self.index;
        let others = index.definitions(node).iter().map(|&copy| index.member(copy));
        let mut others = others.filter(|&unit| unit != index.member(node)).peekable();
        if others.peek().is_none() {
            return false;
        }
        locals_reached(index, vec![node]).into_iter().any(|local| {
            self.memory(local) == Some(Memory::Written)
                && others.clone().any(|unit| index.find(unit, index.name(local)).is_some())
        })
    }
}

/// Finds the modules with a live function above `limit`. nvlink takes all of a unit, so its largest
/// function counts.
fn large_modules(index: &Index<'_>, liveness: &Liveness, limit: Option<u32>) -> PerModule<bool> {
    let mut is_large = PerModule::filled(false, index.units.len());
    let Some(limit) = limit else { return is_large };
    for module in index.modules().filter(|&module| index.is_lto_ir(module)) {
        let is_above = |node: NodeId| {
            let function = index.function(node).filter(|function| !function.flags().kernel);
            function.is_some_and(|function| function.instruction_count() > limit)
        };
        let mut nodes = index.own_nodes(module);
        is_large[module] =
            nodes.any(|node| liveness.live[node] && index.prevails(node) && is_above(node));
    }
    is_large
}

/// Numbers the combinations of arithmetic that modules were compiled with.
fn arithmetic(index: &Index<'_>) -> PerModule<usize> {
    let mut numbers: BTreeMap<Vec<(TrackedOption, u32)>, usize> = BTreeMap::new();
    let mut of_modules = PerModule::filled(0, index.units.len());
    for module in index.modules() {
        let next = numbers.len();
        of_modules[module] = *numbers.entry(index.arithmetic(module)).or_insert(next);
    }
    of_modules
}
