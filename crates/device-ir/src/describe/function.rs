//! The facts of one function.

use std::collections::{BTreeMap, BTreeSet};

use weft_artifact::{
    Call as CallSummary, DistantCall, FunctionFlags, FunctionSummary, Guid, Hotness, LaunchBounds,
    MemoryEffects, ModuleId, ParameterCost, SymbolIndex,
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
    lifetime_markers: u32,
    calls: BTreeMap<SymbolIndex, CallSummary>,
    indirect_calls: u32,
    references: BTreeSet<SymbolIndex>,
    takes_block_address: bool,
    /// Whether the body holds assembly that means something in this module or one place of it
    /// alone.
    has_bound_assembly: bool,
}

pub(super) fn facts<'m>(
    walk: &Walk<'m>,
    function: Function<'m>,
    module_id: &ModuleId,
) -> FunctionSummary {
    let mut gathered = Gathered::default();
    let blocks = walk.analyses.blocks(function);
    for (block, block_facts) in function.blocks().zip(blocks) {
        for instruction in block.instructions() {
            gather(walk, &mut gathered, instruction, block_facts);
        }
    }
    let distant_calls = distant_calls(walk, &mut gathered, function, module_id);
    let (type_tests, virtual_calls) = walk.analyses.type_tests(function);
    let profile = walk.analyses.profile(function);
    let flags = FunctionFlags { profiled: profile.is_known, ..flags(walk, function, &gathered) };
    let facts = function.facts();
    FunctionSummary {
        instruction_count: gathered.instruction_count,
        lifetime_markers: gathered.lifetime_markers,
        flags,
        import_priority: priority::of(function, flags, profile, walk.priority_override),
        complexity_budget: priority::budget(profile),
        calls: gathered.calls.into_values().collect(),
        distant_calls,
        indirect_calls: gathered.indirect_calls,
        references: gathered.references.into_iter().collect(),
        memory: MemoryEffects(facts.memory),
        own_memory: MemoryEffects(facts.own_memory),
        constant_result: facts.has_constant_result.then_some(facts.constant_result),
        launch_bounds: launch_bounds(function),
        type_tests,
        virtual_calls,
    }
}

fn flags<'m>(walk: &Walk<'m>, function: Function<'m>, gathered: &Gathered) -> FunctionFlags {
    let named = gathered.references.iter().chain(gathered.calls.keys());
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
        _ => IntrinsicClass::Other,
    };
    if class == IntrinsicClass::Uncounted || instruction.is_debug() {
        return;
    }
    gathered.instruction_count += 1;
    gathered.lifetime_markers += u32::from(class == IntrinsicClass::Lifetime);
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
    gathered.references.extend(named);
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
    call.cost = larger(call.cost, parameter_sizes::of_call(instruction, symbol));
}

/// Returns the calls that the body does not hold. Those of functions that it calls by name make
/// these calls hotter, as in LLVM's summary.
fn distant_calls<'m>(
    walk: &Walk<'m>,
    gathered: &mut Gathered,
    function: Function<'m>,
    module_id: &ModuleId,
) -> Vec<DistantCall> {
    let mut distant: BTreeMap<Guid, Hotness> = BTreeMap::new();
    for found in walk.analyses.distant_calls(function) {
        let index = found.symbol.and_then(|symbol| walk.names.index(symbol));
        if let Some(call) = index.and_then(|index| gathered.calls.get_mut(&index)) {
            call.hotness = call.hotness.max(found.hotness);
            continue;
        }
        let callee = match found.symbol {
            Some(symbol) if symbol.linkage().is_local() => {
                Guid::of_local(module_id, &symbol.name())
            }
            _ => found.guid,
        };
        let hotness = distant.entry(callee).or_default();
        *hotness = found.hotness.max(*hotness);
    }
    distant.into_iter().map(|(callee, hotness)| DistantCall { callee, hotness }).collect()
}

/// Notes the symbols that an instruction names.
fn gather_references<'m>(walk: &Walk<'m>, gathered: &mut Gathered, instruction: Instruction<'m>) {
    let mut operands: Vec<_> = instruction.operands().collect();
    if matches!(instruction.operation(), Operation::Call(_)) {
        // The callee is the last one.
        operands.pop();
    }
    gathered.takes_block_address |=
        operands.iter().any(|operand| operand.is_a(Class::BlockAddress));
    gathered.references.extend(walk.names.named_by(operands));
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
