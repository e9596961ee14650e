//! The facts about a function that the thin link uses.

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

use crate::{Guid, MemoryEffects, SymbolIndex};

/// A defined function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FunctionSummary {
    /// Number of IR instructions, as LLVM counts them: without debug intrinsics.
    pub instruction_count: u32,
    /// Number of lifetime intrinsics among the instructions. LLVM counts them, and they become no
    /// code.
    pub lifetime_markers: u32,
    /// Properties of the function.
    pub flags: FunctionFlags,
    /// Priority of the function as an import.
    pub import_priority: ImportPriority,
    /// Importance of the function by its profile, in 28 bits: the entry count divided by the
    /// profile's threshold for hot, in units of 1/256. It is 0 without a profile, and larger values
    /// are clamped to [`FunctionSummary::LARGEST_BUDGET`].
    pub complexity_budget: u32,
    /// Direct calls, with one entry per callee, sorted by callee. Intrinsics are not listed.
    pub calls: Vec<Call>,
    /// Calls of functions that the body does not call by name, sorted by callee.
    pub distant_calls: Vec<DistantCall>,
    /// Number of call instructions whose callee is unknown.
    pub indirect_calls: u32,
    /// Symbols that the function refers to, except as callees, sorted, without repetition.
    pub references: Vec<SymbolIndex>,
    /// Variables in `references` whose content the function only reads: it neither writes to them
    /// nor lets their addresses go where others could. Constants are not listed. Sorted, without
    /// repetition.
    pub reads: Vec<SymbolIndex>,
    /// Memory that the function and its callees may access, as far as its module knows.
    pub memory: MemoryEffects,
    /// Memory that the function itself may access, without the functions in `calls`.
    pub own_memory: MemoryEffects,
    /// Low 64 bits of the integer that the function returns, if it does nothing else: it accesses
    /// no memory and always returns this integer.
    pub constant_result: Option<u64>,
    /// Launch bounds that a kernel is compiled for.
    pub launch_bounds: LaunchBounds,
    /// Type identifiers of the function's type tests of tables of virtual functions, sorted.
    pub type_tests: Vec<Guid>,
    /// Virtual calls through a tested table, sorted.
    pub virtual_calls: Vec<VirtualCall>,
}

impl FunctionSummary {
    /// The largest value of 28 bits.
    pub const LARGEST_BUDGET: u32 = 0x0FFF_FFFF;
}

/// Properties of a function that decide which transformations are allowed. The first ten are those
/// of NVIDIA's summary, in its order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FunctionFlags {
    /// The function has a personality function, so it takes part in unwinding.
    pub has_unwind_info: bool,
    /// The function is marked `noinline`.
    pub no_inline: bool,
    /// The function accesses no memory (`memory(none)`).
    pub read_none: bool,
    /// The function does not unwind.
    pub no_unwind: bool,
    /// The function returns in the end.
    pub will_return: bool,
    /// The function never returns.
    pub no_return: bool,
    /// The function makes progress, so that endless loops without effect can be removed.
    pub must_progress: bool,
    /// The function has an alias that other modules see.
    pub has_visible_alias: bool,
    /// The function names a local that cannot get a global name, so that its body cannot move.
    pub has_non_importable_references: bool,
    /// The function is a kernel, which the host launches (calling convention `ptx_kernel`).
    pub kernel: bool,
    /// The function is marked `alwaysinline`.
    pub always_inline: bool,
    /// The body cannot be copied into another module: it takes the address of one of its basic
    /// blocks, its assembly names symbols or defines labels, or its module holds assembly outside
    /// functions, which may name its symbols.
    pub not_importable: bool,
    /// The function is marked `norecurse`: no thread calls it while an earlier call is in progress.
    pub no_recurse: bool,
    /// A profile states the function's entry count, so that the hotness of its calls is measured
    /// and not estimated.
    pub profiled: bool,
}

impl FunctionFlags {
    /// Number of flags in the low bits. The bits from there to [`Self::NO_RECURSE`] are free.
    const FIRST: u32 = 12;
    const NO_RECURSE: u32 = 14;
    const PROFILED: u32 = 15;

    /// Returns the flags as bits: the first twelve in order from the low bit, two zeros, the
    /// others.
    #[must_use]
    pub fn bits(self) -> u16 {
        let Self {
            has_unwind_info,
            no_inline,
            read_none,
            no_unwind,
            will_return,
            no_return,
            must_progress,
            has_visible_alias,
            has_non_importable_references,
            kernel,
            always_inline,
            not_importable,
            no_recurse,
            profiled,
        } = self;
        let first = [
            has_unwind_info,
            no_inline,
            read_none,
            no_unwind,
            will_return,
            no_return,
            must_progress,
            has_visible_alias,
            has_non_importable_references,
            kernel,
            always_inline,
            not_importable,
        ];
        let others = [(Self::NO_RECURSE, no_recurse), (Self::PROFILED, profiled)];
        let all = (0..Self::FIRST).zip(first).chain(others);
        all.fold(0, |bits, (position, is_set)| bits | u16::from(is_set) << position)
    }

    /// Inverts [`FunctionFlags::bits`].
    #[inline]
    #[must_use]
    pub fn of_bits(bits: u16) -> Self {
        let is_set = |position: u32| bits & 1 << position != 0;
        Self {
            has_unwind_info: is_set(0),
            no_inline: is_set(1),
            read_none: is_set(2),
            no_unwind: is_set(3),
            will_return: is_set(4),
            no_return: is_set(5),
            must_progress: is_set(6),
            has_visible_alias: is_set(7),
            has_non_importable_references: is_set(8),
            kernel: is_set(9),
            always_inline: is_set(10),
            not_importable: is_set(11),
            no_recurse: is_set(Self::NO_RECURSE),
            profiled: is_set(Self::PROFILED),
        }
    }
}

/// Priority of a function as an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportPriority {
    /// The function is never imported: a kernel, a body that cannot move, or an interposable one.
    #[default]
    Never,
    /// The function is imported if the limit is generous: a `noinline` or cold one gains little.
    Low,
    /// The function is imported if its size allows it.
    Standard,
    /// The function is imported while the budget lasts: it is `alwaysinline`, or hot by a profile.
    Force,
}

impl ImportPriority {
    /// All priorities, each at the position that is its number.
    pub const ALL: [Self; 4] = [Self::Never, Self::Low, Self::Standard, Self::Force];

    /// Returns the number in files and tables.
    pub const fn number(self) -> u8 {
        self as u8
    }
}

/// All direct calls from one function to one callee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Call {
    /// The called function.
    pub callee: SymbolIndex,
    /// Number of call instructions.
    pub count: u32,
    /// Hotness of the hottest call.
    pub hotness: Hotness,
    /// Number of executions of all call instructions per execution of the caller, in units of
    /// 1/256.
    pub frequency: u32,
    /// Sizes that one call moves through `.param` space.
    pub cost: ParameterCost,
}

impl Call {
    /// Creates a call outside any loop, with one execution per call of the caller and no arguments.
    pub fn once(callee: SymbolIndex) -> Self {
        let cost = ParameterCost::default();
        Self { callee, count: 1, hotness: Hotness::Unknown, frequency: 256, cost }
    }
}

/// A call that the body does not hold, and that a profile or metadata tells of: the optimized
/// program inlined the callee through other functions, or an indirect call mostly leads to it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, SchemaRead, SchemaWrite,
)]
pub struct DistantCall {
    /// The function called, which the module may not even declare.
    pub callee: Guid,
    /// Hotness of the call.
    pub hotness: Hotness,
}

/// LLVM's hotness of a call, from a profile, or from loops where there is none.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, SchemaRead, SchemaWrite,
)]
#[serde(rename_all = "snake_case")]
pub enum Hotness {
    /// The hotness is unknown.
    #[default]
    Unknown,
    /// The call is hardly ever executed.
    Cold,
    /// The call is neither cold nor hot.
    None,
    /// The call is often executed.
    Hot,
    /// The profile demands that the callee is there to be inlined.
    Critical,
}

impl Hotness {
    /// All degrees, each at the position that is its number.
    pub const ALL: [Self; 5] = [Self::Unknown, Self::Cold, Self::None, Self::Hot, Self::Critical];

    /// Returns the number in files and tables.
    pub const fn number(self) -> u8 {
        self as u8
    }
}

/// The memory that a call moves, since arguments go through `.param` space.
///
/// The sizes are those of the types: scalars in whole bytes, arrays and vectors element by element,
/// structures by layout. Nested structures are followed to depth 20.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ParameterCost {
    /// Number of bytes of the arguments as the caller passes them. A `byval` argument counts with
    /// the value that it points to.
    pub argument_bytes: u32,
    /// Number of bytes of the parameters as the callee declares them.
    pub parameter_bytes: u32,
    /// Number of bytes of the result.
    pub return_bytes: u32,
    /// Number of arguments whose size differs from that of their parameter.
    pub coerced_arguments: u32,
}

/// Launch bounds of a kernel; 0 means no bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LaunchBounds {
    /// Maximum number of threads per block.
    pub max_threads: u32,
    /// Exact number of threads per block.
    pub required_threads: u32,
    /// Minimum number of blocks per multiprocessor.
    pub min_blocks: u32,
    /// Exact number of blocks per cluster.
    pub cluster_blocks: u32,
    /// Maximum number of blocks per cluster.
    pub max_cluster_blocks: u32,
    /// Maximum number of registers per thread.
    pub max_registers: u32,
}

/// A call through a table of virtual functions whose type is tested before.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, SchemaRead, SchemaWrite,
)]
pub struct VirtualCall {
    /// The type identifier.
    pub type_id: Guid,
    /// Offset of the function's slot from the table's address point, in bytes.
    pub offset: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_at_their_numbers() {
        assert!(
            ImportPriority::ALL.iter().zip(0..).all(|(known, number)| known.number() == number)
        );
        assert!(Hotness::ALL.iter().zip(0..).all(|(known, number)| known.number() == number));
    }
}
