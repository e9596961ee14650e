//! Readers of the files that device code comes in.
//!
//! A unit arrives as device bitcode, as an LLVM offload binary, or as a host object that carries
//! offload binaries in its section `.llvm.offloading`. Input is hostile until read: every offset is
//! checked, nothing is trusted, and nothing is copied before it is known to be there.

mod device_code;
mod offload_binary;

pub use device_code::{DeviceCode, DeviceCodeError, device_code};
pub use offload_binary::{Image, ImageKind, OffloadError, offload_images};

/// Section of a host object that holds offload binaries, one after the other.
pub const OFFLOADING_SECTION: &str = ".llvm.offloading";

/// Section of a host object in which nvcc puts its fat binaries.
pub const NVCC_FATBIN_SECTION: &str = ".nv_fatbin";
