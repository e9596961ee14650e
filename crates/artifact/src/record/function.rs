//! The record of one function.

use wincode::{SchemaRead, SchemaWrite};

use crate::record::error::RecordError;
use crate::record::head::{self, FunctionHead};
use crate::record::input::Input;
use crate::record::numbers::{of_zigzag, steps, value_of};
use crate::record::sink::SummarySink;
use crate::record::sparse::{self, Sparse};
use crate::{
    Call, DistantCall, FunctionSummary, Guid, Hotness, MemoryEffects, ParameterCost, SymbolIndex,
    VirtualCall,
};

/// The record of a [`FunctionSummary`].
#[derive(Clone, Debug, PartialEq, Eq, SchemaWrite)]
pub(crate) struct FunctionRecord {
    instruction_count: u32,
    /// Bits of [`FunctionHead::flags`].
    flags: [u8; 2],
    /// Memory effects, and their exclusive-or with the function's own effects.
    memory: [u8; 2],
    constant_result: Option<u64>,
    calls: Vec<CallRecord>,
    /// Steps to the positions of the targets.
    references: Vec<u32>,
    /// Numbers of [`head::counts`].
    counts: Sparse,
    rare: Option<RareRecord>,
}

/// The record of a [`Call`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, SchemaWrite)]
pub(crate) struct CallRecord {
    /// Step to the callee's position.
    callee: u32,
    count: u32,
    /// Number of the hotness.
    heat: u8,
    /// Difference of the frequency from once per call instruction.
    frequency: i64,
    argument_bytes: u32,
    return_bytes: u32,
    rare: Option<RareCallRecord>,
}

/// The fields of a call that are rarely needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub(crate) struct RareCallRecord {
    /// Number of bytes of the parameters, exclusive-or that of the arguments.
    parameter_bytes: u32,
    coerced_arguments: u32,
}

/// The fields of a function that few have.
#[derive(Clone, Debug, Default, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub(crate) struct RareRecord {
    complexity_budget: u32,
    type_tests: Vec<Guid>,
    virtual_calls: Vec<VirtualCall>,
    distant_calls: Vec<DistantCall>,
    reads: Vec<SymbolIndex>,
}

impl FunctionRecord {
    pub(super) fn of(function: &FunctionSummary) -> Self {
        let rare = RareRecord {
            complexity_budget: function.complexity_budget,
            type_tests: function.type_tests.clone(),
            virtual_calls: function.virtual_calls.clone(),
            distant_calls: function.distant_calls.clone(),
            reads: function.reads.clone(),
        };
        let callees = steps(function.calls.iter().map(|call| call.callee.0));
        let targets = steps(function.references.iter().map(|target| target.0));
        Self {
            instruction_count: function.instruction_count,
            flags: head::flags(function).to_le_bytes(),
            memory: [function.memory.0, function.own_memory.0 ^ function.memory.0],
            constant_result: function.constant_result,
            calls: function
                .calls
                .iter()
                .zip(callees)
                .map(|(call, step)| CallRecord::of(call, step))
                .collect(),
            references: targets.collect(),
            counts: Sparse::of(head::counts(function)),
            rare: (rare != RareRecord::default()).then_some(rare),
        }
    }
}

impl CallRecord {
    fn of(call: &Call, callee: u32) -> Self {
        let cost = call.cost;
        let rare = RareCallRecord {
            parameter_bytes: cost.parameter_bytes ^ cost.argument_bytes,
            coerced_arguments: cost.coerced_arguments,
        };
        Self {
            callee,
            count: call.count,
            heat: call.hotness.number(),
            frequency: i64::from(call.frequency) - (i64::from(call.count) << 8),
            argument_bytes: cost.argument_bytes,
            return_bytes: cost.return_bytes,
            rare: (rare != RareCallRecord::default()).then_some(rare),
        }
    }

    #[inline]
    fn read(input: &mut Input<'_>) -> Result<Self, RecordError> {
        if let Some(&[callee, count, heat, frequency, argument_bytes, return_bytes]) = input.small()
        {
            return Ok(Self {
                callee: callee.into(),
                count: count.into(),
                heat,
                frequency: of_zigzag(frequency.into()),
                argument_bytes: argument_bytes.into(),
                return_bytes: return_bytes.into(),
                rare: input.optional()?,
            });
        }
        Ok(Self {
            callee: input.number()?,
            count: input.number()?,
            heat: input.byte()?,
            frequency: of_zigzag(input.number()?),
            argument_bytes: input.number()?,
            return_bytes: input.number()?,
            rare: input.optional()?,
        })
    }

    #[inline]
    fn call(self, callee: SymbolIndex) -> Result<Call, RecordError> {
        let rare = self.rare.unwrap_or_default();
        let frequency = self.frequency.wrapping_add(i64::from(self.count) << 8);
        Ok(Call {
            callee,
            count: self.count,
            hotness: value_of(&Hotness::ALL, self.heat, "hotness")?,
            frequency: u32::try_from(frequency).map_err(|_| "a call has no frequency")?,
            cost: ParameterCost {
                argument_bytes: self.argument_bytes,
                parameter_bytes: rare.parameter_bytes ^ self.argument_bytes,
                return_bytes: self.return_bytes,
                coerced_arguments: rare.coerced_arguments,
            },
        })
    }
}

/// Reads a record that [`FunctionRecord`] wrote, and passes its lists to `sink`.
pub(super) fn read(
    input: &mut Input<'_>,
    sink: &mut impl SummarySink,
) -> Result<FunctionHead, RecordError> {
    let instruction_count = input.number()?;
    let flags = u16::from_le_bytes([input.byte()?, input.byte()?]);
    let (all, difference) = (input.byte()?, input.byte()?);
    let (memory, own_memory) = (memory(all)?, memory(all ^ difference)?);
    let constant_result = input.optional()?;
    let mut callee = 0_u32;
    for _ in 0..input.length()? {
        let call = CallRecord::read(input)?;
        callee = callee.wrapping_add(call.callee);
        sink.call(call.call(SymbolIndex(callee))?);
    }
    let mut target = 0_u32;
    for _ in 0..input.length()? {
        target = target.wrapping_add(input.number()?);
        sink.reference(SymbolIndex(target));
    }
    let counts = sparse::read(input)?;
    let RareRecord { complexity_budget, type_tests, virtual_calls, distant_calls, reads } =
        input.optional()?.unwrap_or_default();
    Ok(FunctionHead {
        instruction_count,
        flags,
        memory,
        own_memory,
        constant_result,
        complexity_budget,
        counts,
        type_tests,
        virtual_calls,
        distant_calls,
        reads,
    })
}

fn memory(bits: u8) -> Result<MemoryEffects, RecordError> {
    if bits & !MemoryEffects::ANY.0 == 0 {
        Ok(MemoryEffects(bits))
    } else {
        Err(format!("there are no memory effects with the number {bits}"))
    }
}
