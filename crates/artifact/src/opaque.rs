//! Device code that cannot be optimised across units.

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

/// One image of device code without bitcode. It goes to the final link as it is, so what it needs of
/// other units has to be there under its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct OpaqueImage {
    /// What it is.
    pub kind: OpaqueKind,
    /// Architecture it is for, such as `sm_90`; empty when it does not say.
    pub architecture: String,
    /// Stored compressed.
    pub compressed: bool,
    /// The symbols that other units can see. `None` when they cannot be known: then it may need and
    /// define anything.
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
    /// What it names and leaves to others, without the linker's own symbols.
    pub needs: Vec<String>,
    /// The symbols of `needs` that are dynamic shared memory, an `extern __shared__` array without
    /// a size, each with the alignment in bytes that the image asks for.
    pub dynamic_shared: Vec<(String, u32)>,
}

impl OpaqueSymbols {
    /// Sorts all lists, and drops repetitions and the needs that are defined. Of several alignments
    /// of a name, the largest stays.
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
