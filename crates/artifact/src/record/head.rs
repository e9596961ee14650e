//! Functions as files hold them, but for their lists.
//!
//! The thin link wants few facts of a function and wants them packed, so they are unpacked by who asks.

use crate::record::sparse::COUNT;
use crate::{
    Call, FunctionFlags, FunctionShape, FunctionSummary, Guid, ImportPriority, LaunchBounds,
    MemoryEffects, Reference, VirtualCall,
};

/// Where the import priority is among the flags, with two bits.
const PRIORITY: u32 = 12;

/// A [`FunctionSummary`] without what it calls and names.
#[derive(Clone, Debug)]
pub struct FunctionHead {
    /// IR instructions.
    pub instruction_count: u32,
    /// From the low bit: the first twelve flags in the order of [`FunctionFlags`], import priority (2
    /// bits), `no_recurse`, `profiled`.
    pub flags: u16,
    /// How much work it stands for.
    pub complexity_budget: u32,
    /// What memory it may touch, with what it calls.
    pub memory: MemoryEffects,
    /// What memory it may touch by itself.
    pub own_memory: MemoryEffects,
    /// The integer that it returns and does nothing else.
    pub constant_result: Option<u64>,
    /// See [`counts`].
    pub(super) counts: [u32; COUNT],
    /// Type identifiers that it tests a table of virtual functions for, sorted.
    pub type_tests: Vec<Guid>,
    /// Virtual calls through a tested table, sorted.
    pub virtual_calls: Vec<VirtualCall>,
}

impl FunctionHead {
    pub(super) fn of(function: &FunctionSummary) -> Self {
        Self {
            instruction_count: function.instruction_count,
            flags: flags(function),
            complexity_budget: function.complexity_budget,
            memory: function.memory,
            own_memory: function.own_memory,
            constant_result: function.constant_result,
            counts: counts(function),
            type_tests: function.type_tests.clone(),
            virtual_calls: function.virtual_calls.clone(),
        }
    }

    /// The whole summary.
    pub(super) fn with(self, calls: Vec<Call>, references: Vec<Reference>) -> FunctionSummary {
        let (shape, launch_bounds, indirect_calls) = from_counts(self.counts);
        FunctionSummary {
            instruction_count: self.instruction_count,
            flags: FunctionFlags::of_bits(self.flags),
            import_priority: Self::import_priority(self.flags),
            complexity_budget: self.complexity_budget,
            calls,
            indirect_calls,
            references,
            memory: self.memory,
            own_memory: self.own_memory,
            constant_result: self.constant_result,
            shape,
            launch_bounds,
            type_tests: self.type_tests,
            virtual_calls: self.virtual_calls,
        }
    }

    /// The import priority among such `flags`.
    #[inline]
    pub fn import_priority(flags: u16) -> ImportPriority {
        ImportPriority::ALL[usize::from(flags >> PRIORITY & 3)]
    }

    /// Call instructions whose callee is not known.
    pub fn indirect_calls(&self) -> u32 {
        let (_, _, indirect_calls) = from_counts(self.counts);
        indirect_calls
    }

    /// Bounds of its launches.
    pub fn launch_bounds(&self) -> LaunchBounds {
        let (_, launch_bounds, _) = from_counts(self.counts);
        launch_bounds
    }
}

/// See [`FunctionHead::flags`].
pub(super) fn flags(function: &FunctionSummary) -> u16 {
    function.flags.bits() | u16::from(function.import_priority.number()) << PRIORITY
}

/// Fields of [`FunctionShape`] in their order, fields of [`LaunchBounds`], indirect calls.
pub(super) fn counts(function: &FunctionSummary) -> [u32; COUNT] {
    let (shape, bounds) = (function.shape, function.launch_bounds);
    [
        shape.loads,
        shape.stores,
        shape.switches,
        shape.largest_switch,
        shape.local_bytes,
        shape.warp_operations,
        shape.tensor_operations,
        shape.special_operations,
        shape.barriers,
        bounds.max_threads,
        bounds.required_threads,
        bounds.min_blocks,
        bounds.cluster_blocks,
        bounds.max_cluster_blocks,
        bounds.max_registers,
        function.indirect_calls,
    ]
}

/// Undoes [`counts`].
#[inline]
fn from_counts(counts: [u32; COUNT]) -> (FunctionShape, LaunchBounds, u32) {
    let [
        loads,
        stores,
        switches,
        largest_switch,
        local_bytes,
        warp_operations,
        tensor_operations,
        special_operations,
        barriers,
        max_threads,
        required_threads,
        min_blocks,
        cluster_blocks,
        max_cluster_blocks,
        max_registers,
        indirect_calls,
    ] = counts;
    let shape = FunctionShape {
        loads,
        stores,
        switches,
        largest_switch,
        local_bytes,
        warp_operations,
        tensor_operations,
        special_operations,
        barriers,
    };
    let launch_bounds = LaunchBounds {
        max_threads,
        required_threads,
        min_blocks,
        cluster_blocks,
        max_cluster_blocks,
        max_registers,
    };
    (shape, launch_bounds, indirect_calls)
}
