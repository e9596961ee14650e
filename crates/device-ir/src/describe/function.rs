//! The facts of one function.

use std::collections::BTreeMap;

use weft_artifact::{
    Access, Call as CallSummary, FunctionFlags, FunctionShape, FunctionSummary, Hotness,
    LaunchBounds, MemoryEffects, ParameterCost, Reference, SymbolIndex,
};

use super::priority;
use super::walk::Walk;
use crate::analyses::BlockFacts;
use crate::handles::{Call, Callee, Class, Function, Global, Instruction, Operation};
use crate::intrinsics::{IntrinsicClass, class_of};
use crate::parameter_sizes;

/// A call in a loop is hot from this many executions per execution of its caller, in units of
/// 1/256, where no profile tells.
const HOT_FREQUENCY: u32 = 16 * 256;
/// A call is cold below this frequency, in the same units.
const COLD_FREQUENCY: u32 = 256 / 16;

/// Facts that the walk over a function's instructions gathers.
#[derive(Default)]
struct Gathered {
    instruction_count: u32,
    /// Instructions that one call is estimated to execute, in units of 1/256.
    estimated_work: u64,
    calls: BTreeMap<SymbolIndex, CallSummary>,
    indirect_calls: u32,
    references: BTreeMap<SymbolIndex, Access>,
    shape: FunctionShape,
    takes_block_address: bool,
    /// Whether the body holds assembly that means something in this module or one place of it
    /// alone.
    has_bound_assembly: bool,
}

pub(super) fn facts<'m>(walk: &Walk<'m>, function: Function<'m>) -> FunctionSummary {
    let mut gathered = Gathered::default();
    let blocks = walk.analyses.blocks(function);
    for (block, block_facts) in function.blocks().zip(blocks) {
        for instruction in block.instructions() {
            gather(walk, &mut gathered, instruction, block_facts);
        }
    }
    let (type_tests, virtual_calls) = walk.analyses.type_tests(function);
    let profile = walk.analyses.profile(function);
    let flags = FunctionFlags { profiled: profile.is_known, ..flags(walk, function, &gathered) };
    let facts = function.facts();
    FunctionSummary {
        instruction_count: gathered.instruction_count,
        flags,
        import_priority: priority::of(function, flags, profile, walk.priority_override),
        complexity_budget: priority::budget(profile, gathered.estimated_work),
        calls: gathered.calls.into_values().collect(),
        indirect_calls: gathered.indirect_calls,
        references: gathered
            .references
            .into_iter()
            .map(|(target, access)| Reference { target, access })
            .collect(),
        memory: MemoryEffects(facts.memory),
        own_memory: MemoryEffects(facts.own_memory),
        constant_result: facts.has_constant_result.then_some(facts.constant_result),
        shape: gathered.shape,
        launch_bounds: launch_bounds(function),
        type_tests,
        virtual_calls,
    }
}

fn flags<'m>(walk: &Walk<'m>, function: Function<'m>, gathered: &Gathered) -> FunctionFlags {
    let named = gathered.references.keys().chain(gathered.calls.keys());
    let has_non_importable_references = named
        .filter_map(|&index| walk.names.global(index))
        .any(|target| target.linkage().is_local() && walk.names.is_used(target));
    FunctionFlags {
        has_unwind_info: function.has_unwind_info(),
        no_inline: function.has_attribute("noinline"),
        // `memory(none)` is the attribute with no bit of any kind of access.
        read_none: function.attribute("memory") == Some(0),
        no_unwind: function.has_attribute("nounwind"),
        will_return: function.has_attribute("willreturn"),
        no_return: function.has_attribute("noreturn"),
        must_progress: function.has_attribute("mustprogress"),
        has_visible_alias: walk.names.has_visible_alias(function.global()),
        has_non_importable_references,
        kernel: function.is_kernel(),
        always_inline: function.has_attribute("alwaysinline"),
        not_importable: gathered.takes_block_address
            || gathered.has_bound_assembly
            || walk.module.has_inline_assembly(),
        no_recurse: function.has_attribute("norecurse"),
        profiled: false,
    }
}

fn gather<'m>(
    walk: &Walk<'m>,
    gathered: &mut Gathered,
    instruction: Instruction<'m>,
    facts: BlockFacts,
) {
    let call = instruction.call();
    let callee = call.map(Call::callee);
    let class = match callee {
        Some(Callee::Intrinsic(function)) => class_of(&function.name()),
        _ => IntrinsicClass::Generic,
    };
    if class == IntrinsicClass::Marker || instruction.is_debug() {
        return;
    }
    gathered.instruction_count += 1;
    gathered.estimated_work += u64::from(facts.frequency);
    count_shape(walk, &mut gathered.shape, instruction, class);
    match (call, callee) {
        (Some(call), Some(Callee::Symbol(symbol))) => {
            gather_call(walk, gathered, call, symbol, facts);
        }
        (Some(call), Some(Callee::Assembly(_))) => gather_assembly(walk, gathered, call),
        (_, Some(Callee::Unknown)) => gathered.indirect_calls += 1,
        _ => {}
    }
    gather_references(walk, gathered, instruction);
}

/// Assembly can do anything to the symbols that it names, and call them.
fn gather_assembly<'m>(walk: &Walk<'m>, gathered: &mut Gathered, call: Call<'m>) {
    let Some(facts) = walk.assembly.at(call) else { return };
    let named = walk.names.among(&facts.words);
    gathered.has_bound_assembly |=
        !named.is_empty() || facts.calls || facts.must_be_unique || facts.has_unknown_names;
    gathered.indirect_calls += u32::from(facts.calls);
    gathered.references.extend(named.into_iter().map(|target| (target, Access::Other)));
}

fn gather_call<'m>(
    walk: &Walk<'m>,
    gathered: &mut Gathered,
    instruction: Call<'m>,
    symbol: Global<'m>,
    facts: BlockFacts,
) {
    let Some(callee) = walk.names.index(symbol) else { return };
    let empty = CallSummary { count: 0, frequency: 0, ..CallSummary::once(callee) };
    let call = gathered.calls.entry(callee).or_insert(empty);
    call.count += 1;
    call.hotness = call.hotness.max(hotness(facts));
    call.frequency = call.frequency.saturating_add(facts.frequency);
    call.loop_depth = call.loop_depth.max(facts.loop_depth);
    call.cost = larger(call.cost, parameter_sizes::of_call(instruction, symbol));
}

/// Notes the symbols that an instruction names. Loads and stores through a symbol say how they use
/// it; every other mention is `Other`.
fn gather_references<'m>(walk: &Walk<'m>, gathered: &mut Gathered, instruction: Instruction<'m>) {
    let mut operands: Vec<_> = instruction.operands().collect();
    let operation = instruction.operation();
    if matches!(operation, Operation::Call(_)) {
        // The callee is the last one.
        operands.pop();
    }
    gathered.takes_block_address |=
        operands.iter().any(|operand| operand.is_a(Class::BlockAddress));
    let access = match operation {
        Operation::Load { is_volatile: false } => Some(Access::Read),
        Operation::Store { is_volatile: false } => Some(Access::Write),
        _ => None,
    };
    // The pointer is the last operand of both.
    let accessed = access.and_then(|access| operands.pop().map(|pointer| (pointer, access)));
    let accessed = accessed.into_iter().flat_map(|(pointer, access)| {
        walk.names.named_by([pointer]).into_iter().map(move |target| (target, access))
    });
    let mentioned = walk.names.named_by(operands).into_iter();
    for (target, access) in accessed.chain(mentioned.map(|target| (target, Access::Other))) {
        let known = gathered.references.entry(target).or_insert(access);
        if *known != access {
            *known = Access::Other;
        }
    }
}

fn count_shape<'m>(
    walk: &Walk<'m>,
    shape: &mut FunctionShape,
    instruction: Instruction<'m>,
    class: IntrinsicClass,
) {
    match class {
        IntrinsicClass::Warp => shape.warp_operations += 1,
        IntrinsicClass::Tensor => shape.tensor_operations += 1,
        IntrinsicClass::Barrier => shape.barriers += 1,
        IntrinsicClass::Special => shape.special_operations += 1,
        IntrinsicClass::Marker | IntrinsicClass::Generic => {}
    }
    match instruction.operation() {
        Operation::Load { .. } => shape.loads += 1,
        Operation::Store { .. } => shape.stores += 1,
        Operation::Switch { cases } => {
            shape.switches += 1;
            shape.largest_switch = shape.largest_switch.max(cases);
        }
        Operation::Allocation { element, count: Some(count) } => {
            let element = walk.module.layout().sizes(element).allocated;
            let bytes = u32::try_from(element.saturating_mul(count)).unwrap_or(u32::MAX);
            shape.local_bytes = shape.local_bytes.saturating_add(bytes);
        }
        Operation::Allocation { count: None, .. } | Operation::Call(_) | Operation::Other => {}
    }
}

/// Hotness of a call by the profile where there is one, else by how often the block runs.
fn hotness(facts: BlockFacts) -> Hotness {
    match (facts.temperature, facts.frequency) {
        (3, _) | (0, HOT_FREQUENCY..) => Hotness::Hot,
        (2, _) | (0, COLD_FREQUENCY..) => Hotness::None,
        _ => Hotness::Cold,
    }
}

/// Calls of one callee move the same unless its type was punned; the dearest one counts.
fn larger(one: ParameterCost, other: ParameterCost) -> ParameterCost {
    ParameterCost {
        argument_bytes: one.argument_bytes.max(other.argument_bytes),
        parameter_bytes: one.parameter_bytes.max(other.parameter_bytes),
        return_bytes: one.return_bytes.max(other.return_bytes),
        coerced_arguments: one.coerced_arguments.max(other.coerced_arguments),
    }
}

/// The bounds of a kernel, from the attributes that clang writes: numbers, or up to three with
/// commas between, which are multiplied.
fn launch_bounds(function: Function<'_>) -> LaunchBounds {
    let bound = |name: &str| {
        let value = function.string_attribute(name)?;
        let sizes = value.split(',').map(|size| size.trim().parse::<u32>());
        sizes.collect::<Result<Vec<_>, _>>().ok()?.into_iter().reduce(u32::saturating_mul)
    };
    LaunchBounds {
        max_threads: bound("nvvm.maxntid").unwrap_or(0),
        required_threads: bound("nvvm.reqntid").unwrap_or(0),
        min_blocks: bound("nvvm.minctasm").unwrap_or(0),
        cluster_blocks: bound("nvvm.cluster_dim").unwrap_or(0),
        max_cluster_blocks: bound("nvvm.maxclusterrank").unwrap_or(0),
        max_registers: bound("nvvm.maxnreg").unwrap_or(0),
    }
}
