//! What host code says of device code.

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

use crate::Guid;

/// What a unit's host code says of device code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct HostFacts {
    /// What the unit registers with the CUDA runtime, sorted by device name. Only clang's objects
    /// say it.
    pub entries: Vec<HostEntry>,
    /// The host symbols that the unit's host code refers to and that could be another unit's stub or
    /// variable, or one of its own: sorted by GUID, one for each. A stub's reference to itself and
    /// the offload entries themselves do not count. A kernel of the unit to which references cannot
    /// be seen is among them.
    pub references: Vec<HostReference>,
    /// What the unit's host code names by device name, sorted. Only nvcc's objects say it.
    pub named: Vec<NamedReference>,
}

impl HostFacts {
    /// The reference to the host symbol `guid`, if there is one.
    pub fn reference(&self, guid: Guid) -> Option<HostReference> {
        let position = self.references.binary_search_by_key(&guid, |known| known.guid).ok()?;
        self.references.get(position).copied()
    }
}

/// A host symbol that host code refers to.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, SchemaRead, SchemaWrite,
)]
pub struct HostReference {
    /// GUID of the host symbol.
    pub guid: Guid,
    /// How host code refers to the symbol: the first variant of [`Manner`] that applies.
    pub how: Manner,
}

/// How host code refers to a kernel or variable. It tells people why something stays; either way it
/// stays.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, SchemaRead, SchemaWrite,
)]
#[serde(rename_all = "snake_case")]
pub enum Manner {
    /// The code launches the kernel, or copies to or from the variable.
    Explicit,
    /// Its address is taken, by code for another purpose or in data.
    Implicit,
    /// The object does not show references to the symbol, so there may be one.
    Invisible,
}

/// One offload entry: the tie between a host symbol and a device symbol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct HostEntry {
    /// Name of the kernel or variable in device code.
    pub device_name: String,
    /// Kernel, variable or another kind.
    pub kind: HostEntryKind,
    /// GUID of the host symbol: the kernel's stub or the variable's shadow.
    pub host_symbol: Guid,
    /// The host symbol is local to its unit. References to it may have been resolved by the
    /// assembler and leave no trace in the object, so it counts as referenced.
    pub host_symbol_is_local: bool,
}

/// What an offload entry registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
#[serde(rename_all = "snake_case")]
pub enum HostEntryKind {
    /// A kernel.
    Kernel,
    /// A `__device__`, `__constant__` or `__managed__` variable.
    Variable,
    /// A surface, texture or other object.
    Other,
}

/// A name in one of nvcc's six host reference tables.
///
/// The last letter of a table's name (`.nvHRKE`, `.nvHRKI`) tells the linkage of the device symbol,
/// external or internal, and nothing of how the host refers to it: nvcc 13.5 lists a kernel whose
/// address is only stored under `E`, and a `static` variable that is copied to under `I`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, SchemaRead, SchemaWrite)]
pub struct NamedReference {
    /// What it names.
    pub kind: NamedKind,
    /// The symbol is its unit's own: one of the same name elsewhere is another.
    pub internal: bool,
    /// The device symbol's name, in which `*` stands for any characters. nvcc leaves out what
    /// follows the name itself: `_Z4stepPf` is listed as `_Z4step*`, with all its overloads and
    /// instances, and `_ZN2ns3varE` as `_ZN2ns3var*`.
    pub pattern: String,
}

/// What a [`NamedReference`] names.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, SchemaRead, SchemaWrite,
)]
#[serde(rename_all = "snake_case")]
pub enum NamedKind {
    /// A kernel, from `.nvHRKE` and `.nvHRKI`.
    Kernel,
    /// A `__constant__` variable, from `.nvHRCE` and `.nvHRCI`.
    Constant,
    /// A `__device__` or `__managed__` variable, from `.nvHRDE` and `.nvHRDI`.
    Variable,
}
