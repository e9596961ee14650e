//! What the thin link knows of a variable.

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

use crate::{Guid, SymbolIndex};

/// A defined variable. Its address space is the symbol's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct VariableSummary {
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes; 0 leaves it to the type.
    pub alignment: u32,
    /// Never written by device code.
    pub constant: bool,
    /// It has an initialiser other than `undef`.
    pub initialized: bool,
    /// The host may set it before a kernel runs, so its initialiser cannot be relied on.
    pub externally_initialized: bool,
    /// A constant whose address means nothing (`unnamed_addr`), such as a string literal: importers
    /// take a copy in place of a reference.
    pub copyable: bool,
    /// A texture, surface or sampler reference, and no memory.
    pub handle: Option<Handle>,
    /// Symbols that the initialiser names, sorted, without repetition.
    pub references: Vec<SymbolIndex>,
    /// Functions in the initialiser with their offsets in bytes, if it is a table of virtual
    /// functions.
    pub virtual_functions: Vec<VirtualFunction>,
    /// Type identifiers that the table belongs to, with the offsets of their address points. Types
    /// that only the module knows are all listed under the GUID of the empty name.
    pub type_ids: Vec<TypeMember>,
}

/// What kind of handle a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
#[serde(rename_all = "snake_case")]
pub enum Handle {
    /// A texture reference.
    Texture,
    /// A surface reference.
    Surface,
    /// A sampler.
    Sampler,
}

/// A function in a table of virtual functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct VirtualFunction {
    /// Offset in the table, in bytes.
    pub offset: u64,
    /// The function.
    pub function: SymbolIndex,
}

/// A type identifier of a table of virtual functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct TypeMember {
    /// The type identifier.
    pub type_id: Guid,
    /// Offset of its address point in the table, in bytes.
    pub offset: u64,
}
