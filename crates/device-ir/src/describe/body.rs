//! Facts that one body shows. Symbols are named by their identity, since a body is freed before all
//! symbols of its module are known.

use std::collections::{BTreeMap, BTreeSet};

use weft_artifact::{Call as CallSummary, Guid, Hotness, ParameterCost, SymbolIndex, VirtualCall};

use super::destination::Destination;
use super::names::globals_in;
use crate::analyses::{Analyses, BlockFacts, ProfileFacts};
use crate::handles::{
    Call, Callee, Class, Function, FunctionFacts, Global, Identity, Instruction, Operation,
    Variable,
};
use crate::intrinsics::{IntrinsicClass, class_of};
use crate::parameter_sizes;

/// A call in a loop is hot from this many executions per execution of its caller, in units of
/// 1/256, where no profile tells.
const HOT_FREQUENCY: u32 = 16 * 256;
/// A call is cold below this frequency, in the same units.
const COLD_FREQUENCY: u32 = 256 / 16;
/// Number of a callee that is not known yet.
const LATER: SymbolIndex = SymbolIndex(u32::MAX);

/// Facts that a body shows.
pub(super) struct BodyFacts {
    pub(super) instruction_count: u32,
    pub(super) lifetime_markers: u32,
    /// Calls by callee. The callee's number in them is not known yet.
    pub(super) calls: BTreeMap<Identity, CallSummary>,
    /// Calls through pointers.
    pub(super) indirect_calls: u32,
    /// Global values that the body names otherwise, LLVM's own functions among them.
    pub(super) references: BTreeSet<Identity>,
    /// Members of `references` that the body does not only read: it may write to them, or their
    /// addresses may go where others write.
    pub(super) written: BTreeSet<Identity>,
    /// Templates of the inline assembly that the body calls, with the number of such calls.
    pub(super) assembly: BTreeMap<Identity, u32>,
    pub(super) takes_block_address: bool,
    pub(super) distant_calls: Vec<DistantCallee>,
    pub(super) type_tests: Vec<Guid>,
    pub(super) virtual_calls: Vec<VirtualCall>,
    pub(super) profile: ProfileFacts,
    pub(super) facts: FunctionFacts,
}

/// A function that the body does not call by name.
pub(super) struct DistantCallee {
    /// The callee, if the module declares it.
    pub(super) symbol: Option<Identity>,
    /// LLVM's GUID of the callee.
    pub(super) guid: Guid,
    pub(super) hotness: Hotness,
}

/// The facts of the body of `function`, which has one; `tests_types` says whether its module may
/// test types. LLVM analyzes only what something depends on.
pub(super) fn facts_of_body<'m>(
    analyses: &Analyses<'m>,
    function: Function<'m>,
    tests_types: bool,
) -> BodyFacts {
    let (type_tests, virtual_calls) =
        if tests_types { analyses.type_tests(function) } else { Default::default() };
    let distant = analyses.distant_calls(function).into_iter().map(|found| DistantCallee {
        symbol: found.symbol.map(|symbol| symbol.identity()),
        guid: found.guid,
        hotness: found.hotness,
    });
    let mut facts = BodyFacts {
        instruction_count: 0,
        lifetime_markers: 0,
        calls: BTreeMap::new(),
        indirect_calls: 0,
        references: BTreeSet::new(),
        written: BTreeSet::new(),
        assembly: BTreeMap::new(),
        takes_block_address: false,
        distant_calls: distant.collect(),
        type_tests,
        virtual_calls,
        profile: analyses.profile(function),
        facts: function.facts(),
    };
    // Only calls by name are weighed by the frequency of their blocks.
    let mut calls = function.instructions().filter_map(Instruction::call);
    let blocks = if calls.any(|call| matches!(call.callee(), Callee::Symbol(_))) {
        analyses.blocks(function)
    } else {
        vec![BlockFacts::default(); function.blocks().count()]
    };
    for (block, block_facts) in function.blocks().zip(blocks) {
        for instruction in block.instructions() {
            facts.gather(instruction, block_facts);
        }
    }
    facts
}

impl BodyFacts {
    /// The facts with the identities that the values have in another context.
    pub(super) fn moved(self, to: &Destination) -> Self {
        let assembly = self.assembly.into_iter();
        let distant_calls = self.distant_calls.into_iter();
        Self {
            calls: to.symbols(self.calls, |call| call),
            references: self.references.iter().filter_map(|symbol| to.symbol(*symbol)).collect(),
            written: self.written.iter().filter_map(|symbol| to.symbol(*symbol)).collect(),
            assembly: assembly.map(|(template, calls)| (to.template(template), calls)).collect(),
            distant_calls: distant_calls
                .map(|call| {
                    let symbol = call.symbol.and_then(|symbol| to.symbol(symbol));
                    DistantCallee { symbol, ..call }
                })
                .collect(),
            ..self
        }
    }

    fn gather(&mut self, instruction: Instruction<'_>, facts: BlockFacts) {
        let call = instruction.call();
        let callee = call.map(Call::callee);
        let class = match callee {
            Some(Callee::Intrinsic(function)) => class_of(&function.name()),
            _ => IntrinsicClass::Other,
        };
        if class == IntrinsicClass::Uncounted || instruction.is_debug() {
            return;
        }
        self.instruction_count += 1;
        self.lifetime_markers += u32::from(class == IntrinsicClass::Lifetime);
        match (call, callee) {
            (Some(call), Some(Callee::Symbol(symbol))) => self.gather_call(call, symbol, facts),
            (_, Some(Callee::Assembly(template))) => {
                *self.assembly.entry(template.identity()).or_default() += 1;
            }
            (_, Some(Callee::Unknown)) => self.indirect_calls += 1,
            _ => {}
        }
        self.gather_references(instruction);
    }

    fn gather_call(&mut self, instruction: Call<'_>, symbol: Global<'_>, facts: BlockFacts) {
        let empty = CallSummary { count: 0, frequency: 0, ..CallSummary::once(LATER) };
        let call = self.calls.entry(symbol.identity()).or_insert(empty);
        call.count += 1;
        call.hotness = call.hotness.max(hotness(facts));
        call.frequency = call.frequency.saturating_add(facts.frequency);
        call.cost = larger(call.cost, parameter_sizes::of_call(instruction, symbol));
    }

    /// Notes the global values that an instruction names.
    fn gather_references(&mut self, instruction: Instruction<'_>) {
        let mut operands: Vec<_> = instruction.operands().collect();
        if matches!(instruction.operation(), Operation::Call(_)) {
            // The callee is the last one.
            operands.pop();
        }
        self.takes_block_address |=
            operands.iter().any(|operand| operand.is_a(Class::BlockAddress));
        for (position, operand) in (0..).zip(operands) {
            let globals = globals_in([operand]);
            let named = || globals.iter().map(|global| global.identity());
            if globals.iter().any(|&global| Variable::of(global).is_some())
                && !instruction.only_reads_through(position)
            {
                self.written.extend(named());
            }
            self.references.extend(named());
        }
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
