//! The facts about a variable that the thin link uses.

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

use crate::{Guid, SymbolIndex};

/// A defined variable. Its address space is a field of the symbol.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct VariableSummary {
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes; 0 means the type's alignment.
    pub alignment: u32,
    /// Whether device code never writes the variable.
    pub constant: bool,
    /// Whether the initializer is something else than `undef`.
    pub initialized: bool,
    /// Whether the host may set the variable before a kernel runs, so that its initializer says
    /// nothing.
    pub externally_initialized: bool,
    /// Whether the variable is a constant with an insignificant address (`unnamed_addr`), such as a
    /// string literal: importers take a copy instead of a reference.
    pub copyable: bool,
    /// Kind of handle, if the variable is a texture, surface or sampler reference and no memory.
    pub handle: Option<Handle>,
    /// Symbols that the initializer names, sorted, without repetition.
    pub references: Vec<SymbolIndex>,
    /// Functions in the initializer with their offsets in bytes, if the variable is a table of
    /// virtual functions.
    pub virtual_functions: Vec<VirtualFunction>,
    /// Type identifiers that the table belongs to, with the offsets of their address points. Types
    /// that only the module knows all have the GUID of the empty name.
    pub type_ids: Vec<TypeMember>,
}

/// Kind of handle that a variable is.
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
