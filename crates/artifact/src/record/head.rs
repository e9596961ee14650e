//! Functions in the packed form of files, without their lists.
//!
//! The thin link needs few facts of a function, in packed form, so each reader unpacks its own.

use crate::record::sparse::COUNT;
use crate::{
    Call, FunctionFlags, FunctionShape, FunctionSummary, Guid, ImportPriority, LaunchBounds,
    MemoryEffects, Reference, VirtualCall,
};

/// Position of the import priority among the flags, where it takes two bits.
const PRIORITY: u32 = 12;

/// A [`FunctionSummary`] without its calls and references.
#[derive(Clone, Debug)]
pub struct FunctionHead {
    /// Number of IR instructions.
    pub instruction_count: u32,
    /// Bits of, from the low one: the first twelve flags in the order of [`FunctionFlags`], import
    /// priority (2 bits), `no_recurse`, `profiled`.
    pub flags: u16,
    /// Estimate of the function's work.
    pub complexity_budget: u32,
    /// Memory that the function and its callees may access.
    pub memory: MemoryEffects,
    /// Memory that the function itself may access.
    pub own_memory: MemoryEffects,
    /// Integer that the function returns, if it does nothing else.
    pub constant_result: Option<u64>,
    /// Numbers in the order of [`counts`].
    pub(super) counts: [u32; COUNT],
    /// Type identifiers of the function's type tests of tables of virtual functions, sorted.
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

    /// Returns the whole summary.
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

    /// Returns the import priority among `flags`.
    #[inline]
    pub fn import_priority(flags: u16) -> ImportPriority {
        ImportPriority::ALL[usize::from(flags >> PRIORITY & 3)]
    }

    /// Returns the number of call instructions whose callee is unknown.
    pub fn indirect_calls(&self) -> u32 {
        let (_, _, indirect_calls) = from_counts(self.counts);
        indirect_calls
    }

    /// Returns the launch bounds.
    pub fn launch_bounds(&self) -> LaunchBounds {
        let (_, launch_bounds, _) = from_counts(self.counts);
        launch_bounds
    }
}

/// Packs [`FunctionHead::flags`].
pub(super) fn flags(function: &FunctionSummary) -> u16 {
    function.flags.bits() | u16::from(function.import_priority.number()) << PRIORITY
}

/// Returns the fields of [`FunctionShape`] and of [`LaunchBounds`] in order, and the indirect
/// calls.
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

/// Inverts [`counts`].
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
