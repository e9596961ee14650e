//! Splits a large module into partitions, whose code is generated and assembled in parallel.
//!
//! The module is optimized as a whole, so splitting changes no decision of the optimizer. Then
//! every definition goes into exactly one partition: a copy of a variable would be another
//! variable, and a copy of a function would be more work.
//!
//! 1. *Roots* are the definitions that other modules can see, kernels among them. A local
//!    definition that only one root uses, directly or through other locals, goes with the root and
//!    stays local.
//! 2. A local definition that several roots use becomes a root itself, promoted as the thin link
//!    promotes locals that importers share: with the same names, and hidden. So calls of it keep
//!    the calling convention that ptxas gives to all functions of relocatable code.
//! 3. Roots and their locals are assigned in order of decreasing cost, each to the partition with
//!    the least cost so far: the classic rule, at most a third worse than the best division.
//!
//! Nothing here depends on the number of threads. Splitting by one kernel more changes only where
//! code lies, and the partitions link to the same program as the whole.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use weft_artifact::{Linkage, ModuleId, PhaseOptions};

use crate::assembly;
use crate::codegen::{self, CodegenOptions, Generator, Optimized};
use crate::context::Context;
use crate::counts::Counts;
use crate::error::IrError;
use crate::handles::{Class, Function, Global, Value, content};
use crate::inline::InlineReport;
use crate::members::promote;
use crate::module::{Module, Reading};
use crate::target::Target;

/// Number of instructions of a partition where no number of partitions is given: some two seconds
/// in ptxas.
const AUTOMATIC_SIZE: u64 = 20_000;
/// Largest number of partitions where none is given.
const MOST_AUTOMATIC: u64 = 64;
/// Cost of a function beside its instructions, in instructions.
const COST_OF_A_FUNCTION: u64 = 16;

/// Number of partitions to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partitions {
    /// Requested number of partitions, some of which may be empty.
    Exactly(usize),
    /// One partition for each 20,000 instructions or part of them.
    Automatic,
}

/// An optimized module in partitions.
#[derive(Debug)]
pub struct Split {
    /// Architecture of the module, such as `sm_90`.
    pub architecture: String,
    /// Options that the thin link settled for the phases.
    pub options: PhaseOptions,
    /// The partitions; at least one.
    pub partitions: Vec<Partition>,
    /// Sizes before optimization.
    pub before: Counts,
    /// Sizes after optimization.
    pub after: Counts,
    /// Decisions of the inliner.
    pub inlining: InlineReport,
}

/// One partition. It is independent of the others, so threads can divide the work.
#[derive(Debug)]
pub struct Partition {
    /// The whole optimized module.
    whole: Arc<Vec<u8>>,
    /// Names of the definitions that are this partition's.
    definitions: BTreeSet<String>,
    /// The sum of its estimated costs, in instructions.
    pub cost: u64,
}

/// Optimizes a linked module and divides it.
pub fn split(
    linked: &[u8],
    options: CodegenOptions,
    partitions: Partitions,
) -> Result<Split, IrError> {
    let context = Context::new();
    let Optimized { mut module, target, settled: options, before, after, inlining } =
        codegen::optimized(&context, linked, options)?;
    let dealt = deal(&module, partitions);
    if dealt.len() > 1 {
        module.erase_used_lists();
    }
    if Target::recorded(&module).is_none() {
        // A partition without functions must know it too.
        target.record(&module);
    }
    let whole = Arc::new(module.to_bitcode()?);
    let partitions = dealt
        .into_iter()
        .map(|(definitions, cost)| Partition { whole: Arc::clone(&whole), definitions, cost })
        .collect();
    let Target { architecture, .. } = target;
    Ok(Split { architecture, options, partitions, before, after, inlining })
}

/// Divides the definitions of `module`: the names of each partition's, with their cost. Local
/// symbols that several partitions use are promoted.
fn deal(module: &Module<'_>, partitions: Partitions) -> Vec<(BTreeSet<String>, u64)> {
    let graph = Graph::of(module);
    let count = match partitions {
        // None of them can be divided, and all are rare.
        _ if module.has_inline_assembly()
            || assembly::names_symbols(module)
            || module.global("llvm.global_ctors").is_some() =>
        {
            1
        }
        Partitions::Exactly(count) => count.max(1),
        Partitions::Automatic => graph.automatic_count(),
    };
    let dealt = graph.deal(count);
    if count > 1 {
        let module_id = module_id(module);
        for &shared in &dealt.shared {
            promote(graph.definitions[shared], &module_id);
        }
    }
    let name = |member: &usize| graph.definitions[*member].name();
    let names = dealt.partitions.iter().map(|members| members.iter().map(name).collect());
    names.zip(dealt.costs).collect()
}

impl Partition {
    /// PTX of the partition, of an optimized module as [`split`] leaves it.
    pub fn emit(
        &self,
        options: CodegenOptions,
        generator: Generator<'_>,
    ) -> Result<Vec<u8>, IrError> {
        let context = Context::new();
        let mut module = Module::read(&context, &self.whole, Reading::Whole)?;
        let is_other = |global: &Global<'_>| {
            is_definition(*global) && !self.definitions.contains(&global.name())
        };
        module.drop_definitions(|module| module.globals().into_iter().filter(is_other).collect());
        module.drop_unused_declarations();
        codegen::generate(&mut module, options, generator)
    }
}

/// Definitions of a module, and which of them each one uses.
struct Graph<'m> {
    /// All definitions, in the module's order.
    definitions: Vec<Global<'m>>,
    costs: Vec<u64>,
    /// Positions of the definitions that each one uses.
    uses: Vec<BTreeSet<usize>>,
}

/// The partitions, as positions in the graph.
struct Dealt {
    partitions: Vec<Vec<usize>>,
    costs: Vec<u64>,
    /// Locals that several partitions may use.
    shared: Vec<usize>,
}

/// Root whose partition a local joins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nobody,
    Root(usize),
    Several,
}

impl<'m> Graph<'m> {
    fn of(module: &'m Module<'_>) -> Self {
        let definitions: Vec<_> =
            module.globals().into_iter().filter(|&value| is_definition(value)).collect();
        let positions: BTreeMap<Global<'_>, usize> =
            definitions.iter().enumerate().map(|(position, &value)| (value, position)).collect();
        let mut costs = Vec::with_capacity(definitions.len());
        let mut uses = Vec::with_capacity(definitions.len());
        for definition in &definitions {
            let mut targets = BTreeSet::new();
            let mut cost = 0;
            if let Some(function) = Function::of(*definition) {
                cost = COST_OF_A_FUNCTION;
                for instruction in function.instructions() {
                    cost += 1;
                    let operands = instruction.operands();
                    operands.for_each(|operand| collect(operand, &positions, &mut targets));
                }
            } else if let Some(content) = content(*definition) {
                collect(content, &positions, &mut targets);
            }
            costs.push(cost);
            uses.push(targets);
        }
        Self { definitions, costs, uses }
    }

    fn automatic_count(&self) -> usize {
        let count = self.costs.iter().sum::<u64>().div_ceil(AUTOMATIC_SIZE);
        usize::try_from(count.clamp(1, MOST_AUTOMATIC)).unwrap_or(1)
    }

    fn deal(&self, count: usize) -> Dealt {
        let owners = self.owners();
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (position, owner) in owners.iter().enumerate() {
            let root = if let Owner::Root(root) = owner { *root } else { position };
            groups.entry(self.aliasee(root)).or_default().push(position);
        }
        let mut groups: Vec<(u64, Vec<usize>)> = groups
            .into_values()
            .map(|members| (members.iter().map(|&member| self.costs[member]).sum(), members))
            .collect();
        // Stable, so groups of one cost stay in the module's order.
        groups.sort_by_key(|(cost, _)| std::cmp::Reverse(*cost));
        let mut dealt = Dealt {
            partitions: vec![Vec::new(); count],
            costs: vec![0; count],
            shared: Vec::new(),
        };
        for (cost, members) in groups {
            let least = (0..count).min_by_key(|&partition| dealt.costs[partition]).unwrap_or(0);
            dealt.costs[least] += cost;
            dealt.partitions[least].extend(members);
        }
        let several = owners.iter().enumerate().filter(|(_, owner)| **owner == Owner::Several);
        dealt.shared = several.map(|(position, _)| position).collect();
        dealt
    }

    /// Owner of every local; every other definition owns itself.
    fn owners(&self) -> Vec<Owner> {
        let is_local = |position: usize| self.definitions[position].linkage().is_local();
        let mut owners: Vec<_> = (0..self.definitions.len())
            .map(|position| if is_local(position) { Owner::Nobody } else { Owner::Root(position) })
            .collect();
        for root in (0..owners.len()).filter(|&node| !is_local(node)) {
            let mut seen = BTreeSet::new();
            let mut open = vec![root];
            while let Some(user) = open.pop() {
                for &used in self.uses[user].iter().filter(|&&node| is_local(node)) {
                    if !seen.insert(used) {
                        continue;
                    }
                    owners[used] = match owners[used] {
                        Owner::Nobody => Owner::Root(root),
                        owner if owner == Owner::Root(root) => owner,
                        Owner::Root(_) | Owner::Several => Owner::Several,
                    };
                    open.push(used);
                }
            }
        }
        // These locals have no visible users, or use each other, so they stay together.
        let forgotten = owners.iter().position(|owner| *owner == Owner::Nobody);
        for owner in owners.iter_mut().filter(|owner| **owner == Owner::Nobody) {
            *owner = forgotten.map_or(Owner::Nobody, Owner::Root);
        }
        owners
    }

    /// Aliasee of an alias, which PTX requires in the same file.
    fn aliasee(&self, position: usize) -> usize {
        let mut position = position;
        while self.definitions[position].is_alias()
            && let Some(&target) = self.uses[position].first()
        {
            position = target;
        }
        position
    }
}

/// Adds the definitions that `operand` names, directly or inside constants.
fn collect<'m>(
    operand: Value<'m>,
    positions: &BTreeMap<Global<'m>, usize>,
    used: &mut BTreeSet<usize>,
) {
    let mut seen = BTreeSet::new();
    let mut open = vec![operand];
    while let Some(value) = open.pop() {
        if !value.is_a(Class::Constant) || !seen.insert(value) {
            continue;
        }
        match Global::of(value) {
            Some(global) => used.extend(positions.get(&global)),
            None => open.extend(value.operands()),
        }
    }
}

fn is_definition(global: Global<'_>) -> bool {
    global.is_definition() && global.linkage() != Linkage::Appending
}

/// The module's id, which the import phase writes instead of the source's name; for bitcode from
/// elsewhere, a stand-in.
fn module_id(module: &Module<'_>) -> ModuleId {
    let id = ModuleId::new(module.source_name()).or_else(|_| ModuleId::new("module"));
    // The stand-in is a legal id.
    id.unwrap_or_else(|_| unreachable!())
}
