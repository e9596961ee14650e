//! The arrays that hold the symbols of modules and everything that their bodies name.

use weft_artifact::{
    DistantCall, LaunchBounds, Linkage, SymbolIndex, TypeMember, VirtualCall, VirtualFunction,
};

use super::call::Call;
use crate::model::ids::NodeId;

/// Kinds of symbols in their modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    DeclaredVariable,
    DeclaredFunction,
    DeclaredKernel,
    Function,
    Variable,
    /// A variable of which importers take a copy instead of a reference.
    CopyableVariable,
    Alias,
}

impl Kind {
    /// Whether the module holds a definition of the symbol.
    #[inline]
    pub(crate) fn is_definition(self) -> bool {
        !matches!(self, Self::DeclaredVariable | Self::DeclaredFunction | Self::DeclaredKernel)
    }

    /// Whether the symbol is a variable with an initializer.
    #[inline]
    pub(crate) fn is_variable(self) -> bool {
        matches!(self, Self::Variable | Self::CopyableVariable)
    }
}

/// Bit of a symbol that the code marks as used.
pub(super) const USED: u8 = 1;
/// Bit of a symbol that the host uses.
pub(super) const USED_BY_HOST: u8 = 1 << 1;
/// Bit of an array of LLVM's own.
pub(super) const SPECIAL: u8 = 1 << 2;
/// Bit of a function with rare facts, and of a variable with a table.
pub(super) const RARE: u8 = 1 << 3;
/// Bit of a function with indirect calls.
pub(super) const INDIRECT: u8 = 1 << 4;

/// Flag of a variable that device code never writes.
pub(super) const CONSTANT: u8 = 1;
/// Flag of a variable that the host may set.
pub(super) const SET_OUTSIDE: u8 = 1 << 1;

/// Symbols of several modules, one module after the other, each by name. Symbols are named by their
/// positions, which are [nodes](NodeId) once the code of all modules is one.
#[derive(Default)]
pub struct Code {
    pub(super) symbols: Vec<PackedSymbol>,
    /// The names, one after the other.
    pub(super) names: String,
    /// End of each name.
    pub(super) name_ends: Vec<u32>,
    pub(super) calls: Vec<Call>,
    /// Symbols that functions and initializers refer to. Like the callees of calls, they are
    /// numbers of symbols of the module until [`Code::bind`] makes them nodes.
    pub(super) references: Vec<NodeId>,
    pub(super) rare_facts: Vec<RareFacts>,
    pub(super) tables: Vec<Table>,
    pub(super) dynamic_shared: Vec<DynamicShared>,
    pub(super) contents: Vec<Content>,
    /// Digest of the prototype of each symbol, or 0 for none. They are dropped once the modules are
    /// one program.
    pub(super) prototypes: Vec<u32>,
}

/// A symbol. Its lists end where those of the next symbol begin.
#[derive(Clone, Copy)]
pub(super) struct PackedSymbol {
    pub(super) calls_end: u32,
    pub(super) references_end: u32,
    /// Instructions of a function as LLVM counts them, bytes of a variable, or position of an
    /// alias's target.
    pub(super) body: u32,
    /// Flags of a variable, or of a function as in its summary, with the import priority in two
    /// bits that these leave free.
    pub(super) flags: u16,
    pub(super) memory: u8,
    pub(super) own_memory: u8,
    pub(super) linkage: Linkage,
    pub(super) kind: Kind,
    /// Address space of a variable, or number of lifetime markers of a function, saturating at 255.
    pub(super) space_or_markers: u8,
    pub(super) bits: u8,
}

/// Facts that few functions have.
#[derive(Clone)]
pub(super) struct RareFacts {
    pub(super) symbol: u32,
    pub(super) constant_result: Option<u64>,
    pub(super) launch_bounds: LaunchBounds,
    /// Importance by profile.
    pub(super) importance: u32,
    pub(super) distant_calls: Box<[DistantCall]>,
    pub(super) virtual_calls: Box<[VirtualCall]>,
    /// Variables of its module that the function only reads.
    pub(super) reads: Box<[SymbolIndex]>,
}

/// Facts that few variables have.
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

impl Code {
    /// Returns the number of symbols.
    pub(crate) fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Lengths of the arrays whose positions must fit into 32 bits.
    pub(super) fn lengths(&self) -> [(&'static str, usize); 4] {
        [
            ("symbols", self.symbols.len()),
            ("bytes of names", self.names.len()),
            ("calls", self.calls.len()),
            ("references", self.references.len()),
        ]
    }
}

/// Returns a position in an array of code. Arrays that are too long for 32 bits are refused at the
/// end of the unit that exceeds them, or where the code of all modules is joined.
pub(super) fn position(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
