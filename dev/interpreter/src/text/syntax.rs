//! The parts of PTX text.

use std::collections::BTreeMap;

use crate::types::Type;

/// A PTX file.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    /// Name of the file, for messages.
    pub(crate) file: String,
    pub(crate) variables: Vec<Variable>,
    /// Definitions and declarations.
    pub(crate) functions: Vec<Function>,
    /// Pairs of an alias and its aliasee, with the line.
    pub(crate) aliases: Vec<(String, String, u32)>,
}

/// Linkage of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linkage {
    Local,
    Extern,
    Visible,
    Weak,
}

/// A state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Generic,
    Global,
    Const,
    Shared,
    Local,
    Param,
}

impl Space {
    /// Reads a space's name without its dot.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "global" => Self::Global,
            "const" => Self::Const,
            "shared" | "shared::cta" => Self::Shared,
            "local" => Self::Local,
            "param" | "param::entry" | "param::func" => Self::Param,
            _ => return None,
        })
    }
}

/// An element of an initial value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Datum {
    Number(u64),
    /// Address of a symbol, plus an offset, of which `mask` selects bits; `is_generic` says that
    /// the address is converted to a generic one.
    Symbol {
        name: String,
        offset: u64,
        mask: u64,
        is_generic: bool,
    },
}

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) line: u32,
    pub(crate) linkage: Linkage,
    pub(crate) space: Space,
    pub(crate) alignment: u64,
    pub(crate) of: Type,
    /// Number of elements; 0 for an array without a size.
    pub(crate) count: u64,
    pub(crate) initial: Vec<Datum>,
}

/// A parameter or a variable of a body: a place in the frame's parameters or local memory.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
}

/// A function or a kernel.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) line: u32,
    pub(crate) linkage: Linkage,
    pub(crate) is_kernel: bool,
    pub(crate) results: Vec<Parameter>,
    pub(crate) parameters: Vec<Parameter>,
    /// Bytes of parameters, those of calls included.
    pub(crate) parameter_bytes: u64,
    pub(crate) local_bytes: u64,
    pub(crate) registers: usize,
    /// `None` for a declaration.
    pub(crate) body: Option<Vec<Statement>>,
    /// Lists of labels that `brx.idx` names, as positions of statements.
    pub(crate) targets: BTreeMap<String, Vec<usize>>,
}

/// An instruction.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) line: u32,
    pub(crate) guard: Option<Guard>,
    /// Name with its modifiers, such as `add.s32`.
    pub(crate) name: String,
    pub(crate) operands: Vec<Operand>,
}

/// Condition of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guard {
    pub(crate) register: usize,
    pub(crate) is_negated: bool,
}

/// A name that is defined inside a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Register(usize, Type),
    /// Offset in the parameters of the frame, and size.
    Parameter(u64, u64),
    /// Offset in the local memory of the frame.
    Local(u64),
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand {
    Item(Item),
    /// `!%p`
    Not(usize),
    /// Integer, in 64 bits: a negative one in two's complement.
    Number(u64),
    /// Float as the bits of an f64, from any notation.
    Double(u64),
    /// Float as the bits of an f32.
    Single(u64),
    /// Special register, such as `%tid.x`.
    Special(String),
    /// Symbol of the module.
    Symbol(String),
    /// Position of a statement.
    Label(usize),
    /// Operand plus bytes.
    Sum(Box<Operand>, u64),
    /// `[x]`
    Address(Box<Operand>),
    /// `[texture, {x}]`
    Texture(Box<Operand>, Box<Operand>),
    /// `{a, b}` and `(a, b)`
    List(Vec<Operand>),
    /// `p|q`
    Pair(Box<Operand>, Box<Operand>),
    /// `_`
    Nothing,
}
