//! Names of the sections of host objects that hold device code.

/// Section of a host object that holds offload binaries, one after the other.
pub const OFFLOADING_SECTION: &str = ".llvm.offloading";

/// Sections of a host object in which nvcc puts its fat binaries: of a whole program, and of
/// relocatable device code (`-dc`).
pub const NVCC_FATBIN_SECTIONS: [&str; 2] = [".nv_fatbin", RELOCATABLE_FATBIN_SECTION];

/// Section of a host object with nvcc's fat binaries of relocatable device code.
pub(crate) const RELOCATABLE_FATBIN_SECTION: &str = "__nv_relfatbin";
