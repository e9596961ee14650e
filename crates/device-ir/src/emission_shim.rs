//! The contracts of `shim/emission.cpp`.

use std::ffi::c_char;

use llvm_sys::prelude::{LLVMMemoryBufferRef, LLVMModuleRef};

unsafe extern "C" {
    /// LLVM's data layout for a triple. The text is the caller's, to be given to
    /// [`weft_free`](crate::shim::weft_free).
    pub(crate) fn weft_target_data_layout(triple: *const c_char, length: usize) -> *mut c_char;

    /// Null for a processor that the NVPTX target knows, else the names that it knows, as a text for
    /// [`weft_free`](crate::shim::weft_free). The target must be registered.
    pub(crate) fn weft_unknown_processor(name: *const c_char, length: usize) -> *mut c_char;

    /// Says in the module which versions of NVVM IR and of its debug information it is.
    pub(crate) fn weft_set_nvvm_version(module: LLVMModuleRef, version: *const u32);

    /// Bitcode of a module with one empty kernel and nothing else.
    pub(crate) fn weft_smallest_kernel(
        data_layout: *const c_char,
        length: usize,
        version: *const u32,
    ) -> LLVMMemoryBufferRef;
}
