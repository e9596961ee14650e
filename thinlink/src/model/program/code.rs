//! The arrays that hold the symbols of modules and what their bodies name.

use weft_artifact::{LaunchBounds, Linkage, TypeMember, VirtualCall, VirtualFunction};

use super::call::Call;

pub(super) const DECLARED: u8 = 0;
pub(super) const KERNEL: u8 = 1;
pub(super) const FUNCTION: u8 = 2;
pub(super) const VARIABLE: u8 = 3;
pub(super) const ALIAS: u8 = 4;

/// Bits of a symbol: it is used, used by the host, LLVM's own, has rarities or a table, calls
/// indirectly.
pub(super) const USED: u8 = 1;
pub(super) const USED_BY_HOST: u8 = 1 << 1;
pub(super) const SPECIAL: u8 = 1 << 2;
pub(super) const RARE: u8 = 1 << 3;
pub(super) const INDIRECT: u8 = 1 << 4;

/// Flags of a variable: it is constant, set by the host, copyable.
pub(super) const CONSTANT: u8 = 1;
pub(super) const SET_OUTSIDE: u8 = 1 << 1;
pub(super) const COPYABLE: u8 = 1 << 2;

/// Symbols of several modules, one module after the other, each by name.
#[derive(Default)]
pub struct Code {
    pub(super) symbols: Vec<PackedSymbol>,
    /// The names, one after the other.
    pub(super) names: String,
    /// Where each name ends.
    pub(super) name_ends: Vec<u32>,
    pub(super) calls: Vec<Call>,
    /// What functions and initializers refer to.
    pub(super) references: Vec<u32>,
    pub(super) rarities: Vec<Rarities>,
    pub(super) tables: Vec<Table>,
    pub(super) dynamic_shared: Vec<DynamicShared>,
    pub(super) contents: Vec<Content>,
}

/// A symbol. Its lists end where the next one's begin.
#[derive(Clone, Copy)]
pub(super) struct PackedSymbol {
    pub(super) calls_end: u32,
    pub(super) references_end: u32,
    /// Instructions of a function, bytes of a variable, target of an alias, kind of a declaration.
    pub(super) body: u32,
    /// Of a function, those of the summary, and the number of the import priority where they have two
    /// bits free.
    pub(super) flags: u16,
    pub(super) memory: u8,
    pub(super) own_memory: u8,
    pub(super) linkage: Linkage,
    pub(super) kind: u8,
    pub(super) address_space: u8,
    pub(super) bits: u8,
}

/// What few functions have.
#[derive(Clone)]
pub(super) struct Rarities {
    pub(super) symbol: u32,
    pub(super) constant_result: Option<u64>,
    pub(super) launch_bounds: LaunchBounds,
    pub(super) virtual_calls: Box<[VirtualCall]>,
}

/// What few variables have.
#[derive(Clone)]
pub(super) struct Table {
    pub(super) symbol: u32,
    /// Bytes of the variable.
    pub(super) size: u64,
    pub(super) virtual_functions: Box<[VirtualFunction]>,
    pub(super) type_ids: Box<[TypeMember]>,
}

/// A declaration of dynamic shared memory.
#[derive(Clone, Copy)]
pub(super) struct DynamicShared {
    pub(super) symbol: u32,
    /// Alignment in bytes.
    pub(super) alignment: u32,
}

/// The digest of the content of a definition that a different one may replace.
#[derive(Clone, Copy)]
pub(super) struct Content {
    pub(super) symbol: u32,
    pub(super) digest: u64,
}

/// A position in an array. A program whose arrays are longer than this can say has more symbols than
/// the index takes.
pub(super) fn position(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
