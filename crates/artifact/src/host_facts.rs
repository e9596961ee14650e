//! Facts about device code that host code states.

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

use crate::Guid;

/// Facts about device code that a unit's host code states.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct HostFacts {
    /// Kernels and variables that the unit registers with the CUDA runtime, sorted by device name
    /// and host symbol. One whose host symbol has several names has an entry for each. Only clang's
    /// objects state them.
    pub entries: Vec<HostEntry>,
    /// Host symbols that the unit's host code refers to and that could be a stub or a variable of
    /// any unit, sorted by GUID, without repetition. A stub's reference to itself and the offload
    /// entries do not count. A kernel of the unit to which references are invisible is in the list.
    pub references: Vec<HostReference>,
    /// References by device name, sorted. Only nvcc's objects state them.
    pub named: Vec<NamedReference>,
    /// Symbols of kernels and variables that the unit defines as hidden: no other program or
    /// library can refer to them. Sorted, without repetition. Of nvcc's units other variables and
    /// functions may be among them.
    pub hidden: Vec<Guid>,
    /// Symbols by which the host linker decides whether it takes the unit from an archive.
    pub link: LinkSymbols,
}

/// Host symbols of a unit as far as the linker's choice of archive members goes by them: it takes a
/// member that defines what something in the link needs.
///
/// A symbol is the low half of its GUID. Two symbols of one number make a unit look needed that is
/// not, which removes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct LinkSymbols {
    /// Symbols that the unit defines for others, sorted, without repetition.
    pub defines: Vec<u32>,
    /// Symbols that the unit needs others to define, or that a definition elsewhere would replace,
    /// sorted, without repetition.
    pub needs: Vec<u32>,
}

impl LinkSymbols {
    /// Returns the number of the symbol `name`.
    pub fn number(name: &str) -> u32 {
        let [.., third, second, first, lowest] = Guid::of_global(name).0.to_be_bytes();
        u32::from_be_bytes([third, second, first, lowest])
    }
}

impl HostFacts {
    /// Returns the reference to the host symbol `guid`, if there is one.
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
    /// Form of the reference: the first variant of [`ReferenceForm`] that applies.
    pub how: ReferenceForm,
}

/// Form in which host code refers to a kernel or variable. The symbol stays in any case; people see
/// why.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, SchemaRead, SchemaWrite,
)]
#[serde(rename_all = "snake_case")]
pub enum ReferenceForm {
    /// The code launches the kernel, or copies to or from the variable.
    Explicit,
    /// The symbol is address-taken, by code for another purpose or in data.
    Implicit,
    /// References to the symbol are invisible in the object, so there may be one.
    Invisible,
}

/// One offload entry: the tie between a host symbol and a device symbol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct HostEntry {
    /// Name of the kernel or variable in device code.
    pub device_name: String,
    /// Kernel, variable or another kind.
    pub kind: HostEntryKind,
    /// GUID of a name of the host symbol: the kernel's stub or the variable's shadow.
    pub host_symbol: Guid,
    /// Whether this name is local to its unit. The assembler may have resolved references to
    /// it without a trace in the object, so it counts as referenced.
    pub host_symbol_is_local: bool,
}

/// Kind of object that an offload entry registers.
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
/// external or internal, and nothing about the form of the reference: nvcc 13.5 lists a kernel
/// whose address is only stored under `E`, and a `static` variable that is copied to under `I`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, SchemaRead, SchemaWrite)]
pub struct NamedReference {
    /// Kind of the named symbols.
    pub kind: NamedKind,
    /// Whether the symbol is local to its unit, and so differs from others of the same name.
    pub internal: bool,
    /// Name of the device symbol, in which `*` matches any characters. nvcc leaves out the part
    /// that follows the name itself: it lists `_Z4stepPf` as `_Z4step*`, with all its overloads and
    /// instances, and `_ZN2ns3varE` as `_ZN2ns3var*`.
    pub pattern: String,
}

/// Kind of symbols that a [`NamedReference`] names.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_found_by_its_host_symbol() {
        let reference = |guid: u64, how| HostReference { guid: Guid(guid), how };
        let (launch, table) =
            (reference(3, ReferenceForm::Explicit), reference(7, ReferenceForm::Implicit));
        let facts = HostFacts { references: vec![launch, table], ..HostFacts::default() };
        assert_eq!(
            [3, 7, 5].map(|guid| facts.reference(Guid(guid))),
            [Some(launch), Some(table), None]
        );
    }
}
