//! What the thin link knows of a function.

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

use crate::{Guid, MemoryEffects, SymbolIndex};

/// A defined function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FunctionSummary {
    /// IR instructions, debug and lifetime intrinsics not counted.
    pub instruction_count: u32,
    /// What it is and what it allows.
    pub flags: FunctionFlags,
    /// How much an importer should want it.
    pub import_priority: ImportPriority,
    /// How much work it stands for, in 28 bits. With a profile: its entry count over the profile's
    /// threshold for hot, in units of 1/256. Without: instructions that one call is estimated to
    /// execute. Larger values are clamped to [`FunctionSummary::LARGEST_BUDGET`].
    pub complexity_budget: u32,
    /// Direct calls, one entry per callee, sorted by callee. Intrinsics are not listed.
    pub calls: Vec<Call>,
    /// Call instructions whose callee is not known.
    pub indirect_calls: u32,
    /// Symbols that it names other than as callees, sorted, without repetition.
    pub references: Vec<Reference>,
    /// What memory it may touch, as its module knows: what it calls is included.
    pub memory: MemoryEffects,
    /// What memory it may touch by itself: all but what the functions in `calls` do.
    pub own_memory: MemoryEffects,
    /// The integer that every return gives, if the function does nothing but return it: it touches no
    /// memory and returns. Of the integer's bits the low 64.
    pub constant_result: Option<u64>,
    /// What its instructions do.
    pub shape: FunctionShape,
    /// Bounds that a kernel is compiled for.
    pub launch_bounds: LaunchBounds,
    /// Type identifiers that it tests a table of virtual functions for, sorted.
    pub type_tests: Vec<Guid>,
    /// Virtual calls through a tested table, sorted.
    pub virtual_calls: Vec<VirtualCall>,
}

impl FunctionSummary {
    /// The largest value of 28 bits.
    pub const LARGEST_BUDGET: u32 = 0x0FFF_FFFF;
}

/// Facts about a function that decide what may be done with it. The first ten are those of NVIDIA's
/// summary, in its order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FunctionFlags {
    /// It has a personality function, so it takes part in unwinding.
    pub has_unwind_info: bool,
    /// Marked `noinline`.
    pub no_inline: bool,
    /// It touches no memory (`memory(none)`).
    pub read_none: bool,
    /// It does not unwind.
    pub no_unwind: bool,
    /// It returns, in the end.
    pub will_return: bool,
    /// It never returns.
    pub no_return: bool,
    /// It makes progress, so that endless loops without effect do not count.
    pub must_progress: bool,
    /// An alias that other modules see stands for it.
    pub has_visible_alias: bool,
    /// It names a local that cannot be given a global name, so that its body cannot move.
    pub has_non_importable_references: bool,
    /// An entry point that the host launches (calling convention `ptx_kernel`).
    pub kernel: bool,
    /// Marked `alwaysinline`.
    pub always_inline: bool,
    /// Its body cannot be copied into another module: it takes the address of one of its own basic
    /// blocks, its assembly names symbols or makes labels, or its module holds assembly outside
    /// functions, which may name its symbols.
    pub not_importable: bool,
    /// Marked `norecurse`: no call of it is made while another one is under way in the same thread.
    pub no_recurse: bool,
    /// A profile knows how often it is entered, so that the hotness of its calls is measured and not
    /// estimated.
    pub profiled: bool,
}

impl FunctionFlags {
    /// Where the flags that files had first end. What lies up to [`Self::NO_RECURSE`] is free.
    const FIRST: u32 = 12;
    const NO_RECURSE: u32 = 14;
    const PROFILED: u32 = 15;

    /// A bit for each: the first twelve in their order from the low bit, two that are not set, the
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

    /// The flags whose bits are set.
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

/// How much an importer should want a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportPriority {
    /// 0: never. A kernel, a body that cannot move, or one that another definition may replace.
    #[default]
    Never,
    /// 1: only when the limit is generous. `noinline` or cold functions, which gain little.
    Low,
    /// 2: as its size allows.
    Standard,
    /// 3: always, as long as the budget lasts. `alwaysinline` functions and hot ones by profile.
    Force,
}

impl ImportPriority {
    /// The priorities, each at the position that is its number.
    pub const ALL: [Self; 4] = [Self::Never, Self::Low, Self::Standard, Self::Force];

    /// Its number in files and tables.
    pub const fn number(self) -> u8 {
        self as u8
    }
}

/// All direct calls from one function to one callee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Call {
    /// The function called.
    pub callee: SymbolIndex,
    /// Number of call instructions.
    pub count: u32,
    /// The hottest of them.
    pub hotness: Hotness,
    /// Executions per execution of the caller, all call instructions together, in units of 1/256.
    pub frequency: u32,
    /// Deepest loop that holds one of them; 0 outside loops.
    pub loop_depth: u32,
    /// What one call moves through `.param` space.
    pub cost: ParameterCost,
}

impl Call {
    /// A call outside any loop, once per call of its caller, that moves nothing.
    pub fn once(callee: SymbolIndex) -> Self {
        let cost = ParameterCost::default();
        Self { callee, count: 1, hotness: Hotness::Unknown, frequency: 256, loop_depth: 0, cost }
    }
}

/// LLVM's hotness of a call, from a profile, or from loops where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Hotness {
    /// Nothing is known.
    #[default]
    Unknown,
    /// Hardly ever executed.
    Cold,
    /// Neither.
    None,
    /// Often executed.
    Hot,
    /// Among the most executed.
    Critical,
}

impl Hotness {
    /// The degrees, each at the position that is its number.
    pub const ALL: [Self; 5] = [Self::Unknown, Self::Cold, Self::None, Self::Hot, Self::Critical];

    /// Its number in files and tables.
    pub const fn number(self) -> u8 {
        self as u8
    }
}

/// The memory that a call moves, since arguments go through `.param` space.
///
/// Sizes are those of the types: scalars in whole bytes, arrays and vectors element by element,
/// structures by layout. Structures inside structures are followed to depth 20.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ParameterCost {
    /// Bytes of the arguments as the caller passes them; of a `byval` argument, of what it points to.
    pub argument_bytes: u32,
    /// Bytes of the parameters as the callee declares them.
    pub parameter_bytes: u32,
    /// Bytes of the result.
    pub return_bytes: u32,
    /// Arguments whose size differs from their parameter's.
    pub coerced_arguments: u32,
}

/// A symbol that a function names, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Reference {
    /// The symbol.
    pub target: SymbolIndex,
    /// What is done with it.
    pub access: Access,
}

/// What is done with a symbol that is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Only loads from it.
    Read,
    /// Only stores to it.
    Write,
    /// Anything else: its address goes elsewhere, or it is both read and written.
    Other,
}

/// What a function's instructions do, as far as cost models ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FunctionShape {
    /// Load instructions.
    pub loads: u32,
    /// Store instructions.
    pub stores: u32,
    /// Switch instructions.
    pub switches: u32,
    /// Cases of the largest switch, the default not counted.
    pub largest_switch: u32,
    /// Local memory of fixed size, in bytes.
    pub local_bytes: u32,
    /// Intrinsics of a warp: shuffle, vote, match, reduce, active mask.
    pub warp_operations: u32,
    /// Intrinsics of the tensor cores.
    pub tensor_operations: u32,
    /// Other intrinsics that become a machine instruction of the GPU.
    pub special_operations: u32,
    /// Barriers of a block, a cluster or a warp.
    pub barriers: u32,
}

/// Bounds that a kernel is compiled for; 0 where it states none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LaunchBounds {
    /// Threads per block at the most.
    pub max_threads: u32,
    /// Threads per block, exactly.
    pub required_threads: u32,
    /// Blocks per multiprocessor at the least.
    pub min_blocks: u32,
    /// Blocks per cluster, exactly.
    pub cluster_blocks: u32,
    /// Blocks per cluster at the most.
    pub max_cluster_blocks: u32,
    /// Registers per thread at the most.
    pub max_registers: u32,
}

/// A call through a table of virtual functions that a type test vouches for.
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
        assert!(ImportPriority::ALL.iter().zip(0..).all(|(it, number)| it.number() == number));
        assert!(Hotness::ALL.iter().zip(0..).all(|(it, number)| it.number() == number));
    }
}
