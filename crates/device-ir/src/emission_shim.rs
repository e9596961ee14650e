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

    /// Turns off passes of LLVM's code generator, for the whole process. Called once, before the first
    /// module is emitted. Whether this LLVM has all of these passes.
    pub(crate) fn weft_leave_loops_to_ptxas() -> bool;

    /// Says in the module which versions of NVVM IR and of its debug information it is.
    pub(crate) fn weft_set_nvvm_version(module: LLVMModuleRef, version: *const u32);

    /// Bitcode of a module with one empty kernel and nothing else.
    pub(crate) fn weft_smallest_kernel(
        data_layout: *const c_char,
        length: usize,
        version: *const u32,
    ) -> LLVMMemoryBufferRef;

    /// Starts LLVM's time profiler on this thread.
    pub(crate) fn weft_trace_start();

    /// Whether it runs on this thread.
    pub(crate) fn weft_trace_is_on() -> bool;

    /// Begins a stretch of time. The profiler runs.
    pub(crate) fn weft_trace_begin(
        name: *const c_char,
        name_length: usize,
        detail: *const c_char,
        detail_length: usize,
    );

    /// Ends the stretch that was begun last on this thread.
    pub(crate) fn weft_trace_end();

    /// Hands over what this thread recorded. Not for the thread that writes.
    pub(crate) fn weft_trace_leave_thread();

    /// Writes what all threads recorded as a text for [`weft_free`](crate::shim::weft_free), and ends
    /// the profiler. Null when it did not run.
    pub(crate) fn weft_trace_write(text: *mut *mut c_char);
}
