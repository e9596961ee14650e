//! Instructions that are ready to run: every name has become a number.

use crate::arithmetic::{Comparison, Pure};
use crate::text::{Guard, Parameter, Space};
use crate::types::Type;

/// A function that can run.
pub(crate) struct Code {
    pub(crate) name: String,
    /// Name of its file, for messages.
    pub(crate) file: String,
    pub(crate) results: Vec<Parameter>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) parameter_bytes: u64,
    pub(crate) local_bytes: u64,
    pub(crate) registers: usize,
    pub(crate) instructions: Vec<Instruction>,
}

/// An instruction.
pub(crate) struct Instruction {
    pub(crate) line: u32,
    pub(crate) guard: Option<Guard>,
    pub(crate) action: Action,
}

/// A value that an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Source {
    Constant(u64),
    Register(usize),
    /// Opposite of a predicate.
    Not(usize),
    Special(Special),
    /// Address in the local memory of the frame.
    Local(u64),
    /// Address in the parameters of the frame.
    Parameter(u64),
}

/// A special register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    /// Position of the thread in its block, by dimension.
    Thread(usize),
    Threads(usize),
    Block(usize),
    Blocks(usize),
    Lane,
    Warp,
    Warps,
    LanesEqual,
    LanesBelow,
    LanesBelowOrEqual,
    LanesAbove,
    LanesAboveOrEqual,
    /// Number of instructions that have run.
    Clock,
    DynamicSharedBytes,
    SharedBytes,
    Zero,
    One,
}

/// A place in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) space: Space,
    pub(crate) base: Source,
    pub(crate) offset: u64,
}

/// A register that gets a result; `None` if the result is dropped.
pub(crate) type Target = Option<usize>;

/// An action of a thread.
pub(crate) enum Action {
    Compute {
        target: Target,
        operands: [Source; 4],
        compute: Pure,
    },
    Pack {
        target: Target,
        parts: Vec<Source>,
        bits: u32,
    },
    Unpack {
        targets: Vec<Target>,
        source: Source,
        bits: u32,
    },
    Compare {
        targets: [Target; 2],
        operands: [Source; 3],
        comparison: Comparison,
    },
    /// Arithmetic with the carry flag.
    Carry {
        target: Target,
        operands: [Source; 3],
        of: Type,
        carry: Carry,
    },
    Load {
        place: Place,
        of: Type,
        targets: Vec<Target>,
    },
    /// Reads a texture of one float an element in linear memory.
    Fetch {
        targets: Vec<Target>,
        texture: Source,
        element: Source,
    },
    Store {
        place: Place,
        of: Type,
        sources: Vec<Source>,
    },
    Atomic {
        place: Place,
        of: Type,
        target: Target,
        operation: Atomic,
        operands: [Source; 2],
    },
    /// Conversion of an address to a generic one, or from one.
    ConvertAddress {
        target: Target,
        source: Source,
        space: Space,
        is_to_space: bool,
    },
    IsInSpace {
        target: Target,
        source: Source,
        space: Space,
    },
    Branch(usize),
    BranchByTable {
        index: Source,
        targets: Vec<usize>,
    },
    Call {
        callee: Callee,
        results: Vec<Passed>,
        arguments: Vec<Passed>,
    },
    Return,
    Exit,
    Trap,
    Nothing,
    Barrier {
        number: Source,
        threads: Option<Source>,
        waits: bool,
        vote: Option<BlockVote>,
    },
    Warp(Warp),
}

/// The function that a call runs.
#[derive(Clone, Debug)]
pub(crate) enum Callee {
    Function(usize),
    Address(Source),
    Builtin(Builtin),
}

/// A function that the interpreter itself provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
    Print,
    FailAssertion,
    Allocate,
    Free,
}

/// An argument or a result of a call: a place in the caller's parameters, or a value.
#[derive(Clone, Debug)]
pub(crate) enum Passed {
    Memory { offset: u64, bytes: u64 },
    Value(Source),
}

/// Use of the carry flag by an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Carry {
    pub(crate) kind: CarryKind,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
}

/// Arithmetic that can use the carry flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CarryKind {
    Sum,
    Difference,
    LowProduct,
    HighProduct,
}

/// A change that an atomic instruction makes to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atomic {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    CompareAndSwap,
    Increment,
    Decrement,
}

/// A vote of the threads at a barrier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockVote {
    pub(crate) kind: VoteKind,
    pub(crate) target: Target,
    pub(crate) predicate: Source,
}

/// A question of a vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VoteKind {
    All,
    Any,
    Uniform,
    Ballot,
    Count,
}

/// An instruction that the threads of a mask run together.
#[derive(Clone, Debug)]
pub(crate) struct Warp {
    pub(crate) kind: WarpKind,
    pub(crate) target: Target,
    /// Predicate that some instructions write, too.
    pub(crate) predicate: Target,
    pub(crate) operands: [Source; 3],
    /// `None` for instructions of the threads that happen to run together.
    pub(crate) mask: Option<Source>,
}

/// Kinds of instructions that threads run together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WarpKind {
    ShuffleUp,
    ShuffleDown,
    ShuffleButterfly,
    ShuffleIndex,
    Vote(VoteKind),
    MatchAny(Type),
    MatchAll(Type),
    Reduce(Atomic, Type),
    Barrier,
    ActiveMask,
    Elect,
}
