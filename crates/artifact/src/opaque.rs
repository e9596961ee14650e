//! Device code that cannot be optimized across units.

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

/// One image of device code without bitcode. It goes to the final link unchanged, so the symbols
/// that it needs must keep their names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct OpaqueImage {
    /// Kind of the image.
    pub kind: OpaqueKind,
    /// Architecture of the code, such as `sm_90`; empty if the image does not state it.
    pub architecture: String,
    /// Number of the virtual architecture that the code was compiled for, such as 80 for
    /// `compute_80`; `None` if the image does not state it.
    pub virtual_architecture: Option<u32>,
    /// Whether the image is stored compressed.
    pub compressed: bool,
    /// Symbols that other units can see. `None` if they are unknown: then the image may need and
    /// define any symbol.
    pub symbols: Option<OpaqueSymbols>,
}

/// Kinds of opaque image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
#[serde(rename_all = "snake_case")]
pub enum OpaqueKind {
    /// NVIDIA machine code, an ELF file.
    Cubin,
    /// PTX text.
    Ptx,
    /// NVIDIA's link-time intermediate representation, which is scrambled.
    NvidiaLtoIr,
    /// An entry of NVIDIA's fat binary of a kind that this version does not know.
    Fatbin,
    /// Anything else in an offload binary.
    Object,
}

/// Symbols of an opaque image that take part in the link, each list sorted, without repetition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct OpaqueSymbols {
    /// Global and weak definitions.
    pub defines: Vec<String>,
    /// Undefined symbols, except for the linker's own.
    pub needs: Vec<String>,
    /// Symbols of `needs` that are dynamic shared memory, an `extern __shared__` array without
    /// a size, each with the alignment in bytes that the image asks for.
    pub dynamic_shared: Vec<(String, u32)>,
}

impl OpaqueSymbols {
    /// Sorts all lists, and drops repetitions and needed symbols that are defined. Of several
    /// alignments of a name, the largest stays.
    #[must_use]
    pub fn normalized(mut self) -> Self {
        for list in [&mut self.defines, &mut self.needs] {
            list.sort_unstable();
            list.dedup();
        }
        self.needs.retain(|name| self.defines.binary_search(name).is_err());
        self.dynamic_shared.sort_unstable_by(|one, other| other.cmp(one));
        self.dynamic_shared.dedup_by(|smaller, larger| smaller.0 == larger.0);
        self.dynamic_shared.reverse();
        self
    }
}
