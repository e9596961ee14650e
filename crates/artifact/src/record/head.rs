//! Functions in the packed form of files, without their lists.
//!
//! The thin link needs few facts of a function, in packed form, so each reader unpacks its own.

use crate::record::sparse::COUNT;
use crate::{
    Call, DistantCall, FunctionFlags, FunctionSummary, Guid, ImportPriority, LaunchBounds,
    MemoryEffects, SymbolIndex, VirtualCall,
};

/// Position of the import priority among the flags, where it takes two bits.
const PRIORITY: u32 = 12;

/// A [`FunctionSummary`] without its calls and references.
#[derive(Clone, Debug)]
pub struct FunctionHead {
    /// Number of IR instructions, as LLVM counts them.
    pub instruction_count: u32,
    /// Bits of, from the low one: the first twelve flags in the order of [`FunctionFlags`], import
    /// priority (2 bits), `no_recurse`, `profiled`.
    pub flags: u16,
    /// Memory that the function and its callees may access.
    pub memory: MemoryEffects,
    /// Memory that the function itself may access.
    pub own_memory: MemoryEffects,
    /// Integer that the function returns, if it does nothing else.
    pub constant_result: Option<u64>,
    /// Importance of the function by its profile.
    pub complexity_budget: u32,
    /// Numbers in the order of [`counts`].
    pub(super) counts: [u32; COUNT],
    /// Type identifiers of the function's type tests of tables of virtual functions, sorted.
    pub type_tests: Vec<Guid>,
    /// Virtual calls through a tested table, sorted.
    pub virtual_calls: Vec<VirtualCall>,
    /// Calls that the body does not hold, sorted by callee.
    pub distant_calls: Vec<DistantCall>,
    /// Variables that the function only reads, sorted.
    pub reads: Vec<SymbolIndex>,
}

impl FunctionHead {
    pub(super) fn of(function: &FunctionSummary) -> Self {
        Self {
            instruction_count: function.instruction_count,
            flags: flags(function),
            memory: function.memory,
            own_memory: function.own_memory,
            constant_result: function.constant_result,
            complexity_budget: function.complexity_budget,
            counts: counts(function),
            type_tests: function.type_tests.clone(),
            virtual_calls: function.virtual_calls.clone(),
            distant_calls: function.distant_calls.clone(),
            reads: function.reads.clone(),
        }
    }

    /// Returns the whole summary.
    pub(super) fn with(self, calls: Vec<Call>, references: Vec<SymbolIndex>) -> FunctionSummary {
        let (launch_bounds, indirect_calls) = (self.launch_bounds(), self.indirect_calls());
        FunctionSummary {
            instruction_count: self.instruction_count,
            lifetime_markers: self.lifetime_markers(),
            flags: FunctionFlags::of_bits(self.flags),
            import_priority: Self::import_priority(self.flags),
            complexity_budget: self.complexity_budget,
            calls,
            distant_calls: self.distant_calls,
            indirect_calls,
            references,
            reads: self.reads,
            memory: self.memory,
            own_memory: self.own_memory,
            constant_result: self.constant_result,
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
        self.counts[0]
    }

    /// Returns the number of lifetime intrinsics among the instructions.
    pub fn lifetime_markers(&self) -> u32 {
        self.counts[1]
    }

    /// Returns the launch bounds.
    pub fn launch_bounds(&self) -> LaunchBounds {
        let [
            _,
            _,
            max_threads,
            required_threads,
            min_blocks,
            cluster_blocks,
            max_cluster_blocks,
            max_registers,
        ] = self.counts;
        LaunchBounds {
            max_threads,
            required_threads,
            min_blocks,
            cluster_blocks,
            max_cluster_blocks,
            max_registers,
        }
    }
}

/// Packs [`FunctionHead::flags`].
pub(super) fn flags(function: &FunctionSummary) -> u16 {
    function.flags.bits() | u16::from(function.import_priority.number()) << PRIORITY
}

/// Returns the indirect calls, the lifetime markers, and the fields of [`LaunchBounds`] in order.
pub(super) fn counts(function: &FunctionSummary) -> [u32; COUNT] {
    let bounds = function.launch_bounds;
    [
        function.indirect_calls,
        function.lifetime_markers,
        bounds.max_threads,
        bounds.required_threads,
        bounds.min_blocks,
        bounds.cluster_blocks,
        bounds.max_cluster_blocks,
        bounds.max_registers,
    ]
}
