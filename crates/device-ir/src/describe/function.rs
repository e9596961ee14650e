//! The facts of one function, from what its body shows and from the symbols of its module.

use std::collections::{BTreeMap, BTreeSet};

use weft_artifact::{
    Call as CallSummary, DistantCall, FunctionFlags, FunctionSummary, Guid, Hotness, LaunchBounds,
    MemoryEffects, ModuleId, SymbolIndex,
};

use super::body::BodyFacts;
use super::priority;
use super::walk::Walk;
use crate::handles::{Function, Variable};

/// Symbols that a body names, by their numbers.
#[derive(Default)]
struct Named {
    calls: BTreeMap<SymbolIndex, CallSummary>,
    references: BTreeSet<SymbolIndex>,
    /// Variables in `references` that the body only reads, but for constants.
    reads: BTreeSet<SymbolIndex>,
    /// Calls that assembly makes.
    indirect_calls: u32,
    /// Whether the body holds assembly that means something in this module or one place of it
    /// alone.
    has_bound_assembly: bool,
}

pub(super) fn facts<'m>(
    walk: &Walk<'m>,
    function: Function<'m>,
    body: &BodyFacts,
    module_id: &ModuleId,
) -> FunctionSummary {
    let mut named = named(walk, body);
    let distant_calls = distant_calls(walk, &mut named, body, module_id);
    let profile = body.profile;
    let flags = FunctionFlags { profiled: profile.is_known, ..flags(walk, function, body, &named) };
    let facts = body.facts;
    FunctionSummary {
        instruction_count: body.instruction_count,
        lifetime_markers: body.lifetime_markers,
        flags,
        import_priority: priority::of(function, flags, profile, walk.priority_override),
        complexity_budget: priority::budget(profile),
        calls: named.calls.into_values().collect(),
        distant_calls,
        indirect_calls: body.indirect_calls + named.indirect_calls,
        references: named.references.into_iter().collect(),
        reads: named.reads.into_iter().collect(),
        memory: MemoryEffects(facts.memory),
        own_memory: MemoryEffects(facts.own_memory),
        constant_result: facts.has_constant_result.then_some(facts.constant_result),
        launch_bounds: launch_bounds(function),
        type_tests: body.type_tests.clone(),
        virtual_calls: body.virtual_calls.clone(),
    }
}

fn flags<'m>(
    walk: &Walk<'m>,
    function: Function<'m>,
    body: &BodyFacts,
    named: &Named,
) -> FunctionFlags {
    let symbols = named.references.iter().chain(named.calls.keys());
    let has_non_importable_references = symbols
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
        not_importable: body.takes_block_address
            || named.has_bound_assembly
            || walk.module.has_inline_assembly(),
        no_recurse: function.has_attribute("norecurse"),
        profiled: false,
    }
}

/// Numbers the symbols that a body names. Assembly can do anything to the symbols that it names,
/// and call them.
fn named(walk: &Walk<'_>, body: &BodyFacts) -> Named {
    let mut named = Named::default();
    for (&callee, call) in &body.calls {
        if let Some(callee) = walk.names.index_of(callee) {
            named.calls.insert(callee, CallSummary { callee, ..*call });
        }
    }
    named.references = body.references.iter().filter_map(|&of| walk.names.index_of(of)).collect();
    let read = body.references.difference(&body.written);
    let is_variable = |&index: &SymbolIndex| {
        let variable = walk.names.global(index).and_then(Variable::of);
        variable
            .is_some_and(|variable| !variable.is_constant() || variable.is_externally_initialized())
    };
    let read = read.filter_map(|&symbol| walk.names.index_of(symbol));
    named.reads = read.filter(is_variable).collect();
    for (&template, &times) in &body.assembly {
        let Some(facts) = walk.bodies.assembly.of_template(template) else { continue };
        let symbols = walk.names.among(&facts.words);
        named.has_bound_assembly |=
            !symbols.is_empty() || facts.calls || facts.must_be_unique || facts.has_unknown_names;
        named.indirect_calls += if facts.calls { times } else { 0 };
        named.reads.retain(|symbol| !symbols.contains(symbol));
        named.references.extend(symbols);
    }
    named
}

/// Returns the calls that the body does not hold. Calls of the functions that it calls by name make
/// these calls hotter, as in LLVM's summary.
fn distant_calls(
    walk: &Walk<'_>,
    named: &mut Named,
    body: &BodyFacts,
    module_id: &ModuleId,
) -> Vec<DistantCall> {
    let mut distant: BTreeMap<Guid, Hotness> = BTreeMap::new();
    for found in &body.distant_calls {
        let index = found.symbol.and_then(|symbol| walk.names.index_of(symbol));
        if let Some(call) = index.and_then(|index| named.calls.get_mut(&index)) {
            call.hotness = call.hotness.max(found.hotness);
            continue;
        }
        let callee = match index.and_then(|index| walk.names.global(index)) {
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
