//! Names of the sections of host objects that hold device code.

/// Section of a host object that holds offload binaries, one after the other.
pub const OFFLOADING_SECTION: &str = ".llvm.offloading";

/// Sections of a host object in which nvcc puts its fat binaries: of a whole program, and of
/// relocatable device code (`-dc`).
pub const NVCC_FATBIN_SECTIONS: [&str; 2] = [".nv_fatbin", "__nv_relfatbin"];
