//! The facts of one function.

use std::collections::BTreeMap;

use llvm_sys::LLVMOpcode;
use llvm_sys::core::{
    LLVMConstIntGetZExtValue, LLVMGetAllocatedType, LLVMGetInstructionOpcode, LLVMGetNumSuccessors,
    LLVMGetOperand, LLVMGetVolatile, LLVMIsAConstantInt,
};
use llvm_sys::prelude::LLVMValueRef;
use weft_artifact::{
    Access, Call, FunctionFlags, FunctionShape, FunctionSummary, Hotness, LaunchBounds,
    MemoryEffects, ParameterCost, Reference, SymbolIndex,
};

use super::intrinsics::{IntrinsicClass, class_of};
use super::{Walk, priority};
use crate::global::Global;
use crate::shim::{BlockFacts, weft_function_facts};
use crate::value::{self, Callee};

/// A call in a loop is hot from this many executions per execution of its caller, in units of 1/256,
/// where no profile tells.
const HOT_FREQUENCY: u32 = 16 * 256;
/// A call is cold below this, in the same units.
const COLD_FREQUENCY: u32 = 256 / 16;

/// What the walk over a function's instructions gathers.
#[derive(Default)]
struct Gathered {
    instruction_count: u32,
    /// Instructions that one call is estimated to execute, in units of 1/256.
    estimated_work: u64,
    calls: BTreeMap<SymbolIndex, Call>,
    indirect_calls: u32,
    references: BTreeMap<SymbolIndex, Access>,
    shape: FunctionShape,
    takes_block_address: bool,
    /// Whether the body holds assembly that means something in this module or one place of it
    /// alone.
    has_bound_assembly: bool,
}

impl<'module> Walk<'module> {
    pub(super) fn function(&self, global: Global<'module>) -> FunctionSummary {
        let mut gathered = Gathered::default();
        let facts = self.analyses.blocks(global);
        for (block, facts) in value::blocks(global.raw()).zip(facts) {
            for instruction in value::instructions(block) {
                self.gather(&mut gathered, instruction, facts);
            }
        }
        let (type_tests, virtual_calls) = self.analyses.type_tests(global);
        let profile = self.analyses.profile(global);
        let flags = FunctionFlags { profiled: profile.is_known, ..self.flags(global, &gathered) };
        // SAFETY: a defined function.
        let facts = unsafe { weft_function_facts(global.raw()) };
        FunctionSummary {
            instruction_count: gathered.instruction_count,
            flags,
            import_priority: priority::of(global, flags, profile, self.priority_override),
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
            launch_bounds: launch_bounds(global),
            type_tests,
            virtual_calls,
        }
    }

    fn flags(&self, global: Global<'module>, gathered: &Gathered) -> FunctionFlags {
        let named = gathered.references.keys().chain(gathered.calls.keys());
        let has_non_importable_references = named
            .filter_map(|&index| self.names.global(index))
            .any(|target| target.linkage().is_local() && self.names.is_used(target));
        FunctionFlags {
            has_unwind_info: global.has_unwind_info(),
            no_inline: global.has_attribute("noinline"),
            // `memory(none)` is the attribute with no bit of any kind of access.
            read_none: global.attribute("memory") == Some(0),
            no_unwind: global.has_attribute("nounwind"),
            will_return: global.has_attribute("willreturn"),
            no_return: global.has_attribute("noreturn"),
            must_progress: global.has_attribute("mustprogress"),
            has_visible_alias: self.names.has_visible_alias(global),
            has_non_importable_references,
            kernel: global.is_kernel(),
            always_inline: global.has_attribute("alwaysinline"),
            not_importable: gathered.takes_block_address
                || gathered.has_bound_assembly
                || self.module.has_inline_assembly(),
            no_recurse: global.has_attribute("norecurse"),
            profiled: false,
        }
    }

    fn gather(&self, gathered: &mut Gathered, instruction: LLVMValueRef, facts: BlockFacts) {
        let callee = value::callee(instruction);
        let class = match callee {
            Some(Callee::Intrinsic(function)) => class_of(&value::name(function)),
            _ => IntrinsicClass::Generic,
        };
        if class == IntrinsicClass::Marker || value::is_debug(instruction) {
            return;
        }
        gathered.instruction_count += 1;
        gathered.estimated_work += u64::from(facts.frequency);
        self.count_shape(&mut gathered.shape, instruction, class);
        match callee {
            Some(Callee::Symbol(symbol)) => self.gather_call(gathered, instruction, symbol, facts),
            Some(Callee::Unknown) => gathered.indirect_calls += 1,
            Some(Callee::Assembly) => self.gather_assembly(gathered, instruction),
            _ => {}
        }
        self.gather_references(gathered, instruction, callee.is_some());
    }

    /// Assembly can do anything to what it names, and call it.
    fn gather_assembly(&self, gathered: &mut Gathered, instruction: LLVMValueRef) {
        let Some(facts) = self.assembly.at(instruction) else { return };
        let named = self.names.among(&facts.words);
        gathered.has_bound_assembly |=
            !named.is_empty() || facts.calls || facts.must_be_unique || facts.has_unknown_names;
        gathered.indirect_calls += u32::from(facts.calls);
        gathered.references.extend(named.into_iter().map(|target| (target, Access::Other)));
    }

    fn gather_call(
        &self,
        gathered: &mut Gathered,
        instruction: LLVMValueRef,
        symbol: LLVMValueRef,
        facts: BlockFacts,
    ) {
        let Some(callee) = self.names.index(symbol) else { return };
        let empty = Call { count: 0, frequency: 0, ..Call::once(callee) };
        let call = gathered.calls.entry(callee).or_insert(empty);
        call.count += 1;
        call.hotness = call.hotness.max(hotness(facts));
        call.frequency = call.frequency.saturating_add(facts.frequency);
        call.loop_depth = call.loop_depth.max(facts.loop_depth);
        call.cost = larger(call.cost, self.sizes.of_call(instruction, symbol));
    }

    /// Loads and stores through a symbol say how they use it; every other mention is `Other`.
    fn gather_references(&self, gathered: &mut Gathered, instruction: LLVMValueRef, is_call: bool) {
        let mut operands: Vec<_> = value::operands(instruction).collect();
        if is_call {
            // The callee is the last one.
            operands.pop();
        }
        gathered.takes_block_address |= operands.iter().any(|&it| value::is_block_address(it));
        // SAFETY: an instruction; volatility is asked of loads and stores only.
        let accessed = unsafe {
            match LLVMGetInstructionOpcode(instruction) {
                LLVMOpcode::LLVMLoad if LLVMGetVolatile(instruction) == 0 => {
                    operands.pop().map(|pointer| (pointer, Access::Read))
                }
                LLVMOpcode::LLVMStore if LLVMGetVolatile(instruction) == 0 => {
                    operands.pop().map(|pointer| (pointer, Access::Write))
                }
                _ => None,
            }
        };
        let accessed = accessed.into_iter().flat_map(|(pointer, access)| {
            self.names.named_by([pointer]).into_iter().map(move |it| (it, access))
        });
        let mentioned = self.names.named_by(operands).into_iter().map(|it| (it, Access::Other));
        for (target, access) in accessed.chain(mentioned) {
            let known = gathered.references.entry(target).or_insert(access);
            if *known != access {
                *known = Access::Other;
            }
        }
    }

    fn count_shape(
        &self,
        shape: &mut FunctionShape,
        instruction: LLVMValueRef,
        class: IntrinsicClass,
    ) {
        match class {
            IntrinsicClass::Warp => shape.warp_operations += 1,
            IntrinsicClass::Tensor => shape.tensor_operations += 1,
            IntrinsicClass::Barrier => shape.barriers += 1,
            IntrinsicClass::Special => shape.special_operations += 1,
            IntrinsicClass::Marker | IntrinsicClass::Generic => {}
        }
        // SAFETY: an instruction; each question is asked of its own kind.
        unsafe {
            match LLVMGetInstructionOpcode(instruction) {
                LLVMOpcode::LLVMLoad => shape.loads += 1,
                LLVMOpcode::LLVMStore => shape.stores += 1,
                LLVMOpcode::LLVMSwitch => {
                    shape.switches += 1;
                    let cases = LLVMGetNumSuccessors(instruction).saturating_sub(1);
                    shape.largest_switch = shape.largest_switch.max(cases);
                }
                LLVMOpcode::LLVMAlloca => {
                    let count = LLVMGetOperand(instruction, 0);
                    if !LLVMIsAConstantInt(count).is_null() {
                        let element = self.sizes.allocated(LLVMGetAllocatedType(instruction));
                        let bytes = element.saturating_mul(LLVMConstIntGetZExtValue(count));
                        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
                        shape.local_bytes = shape.local_bytes.saturating_add(bytes);
                    }
                }
                _ => {}
            }
        }
    }
}

/// By profile where there is one, else by how often the block runs.
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

/// The bounds of a kernel, from the attributes that clang writes: numbers, or up to three with commas
/// between, which are multiplied.
fn launch_bounds(global: Global<'_>) -> LaunchBounds {
    let bound = |name: &str| {
        let value = global.string_attribute(name)?;
        let sizes = value.split(',').map(|it| it.trim().parse::<u32>());
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
