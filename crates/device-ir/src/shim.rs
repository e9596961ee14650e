//! The contracts of `shim/shim.cpp`.

use std::ffi::{c_char, c_void};

use llvm_sys::prelude::{LLVMContextRef, LLVMMemoryBufferRef, LLVMModuleRef, LLVMValueRef};

unsafe extern "C" {
    /// Name and version of the LLVM that wrote the bitcode at `data`, or null when there is no
    /// identification block to read. The text is the caller's, to be given to [`weft_free`].
    pub(crate) fn weft_bitcode_producer(data: *const c_char, size: usize) -> *mut c_char;

    /// Frees a text that the shim returned.
    pub(crate) fn weft_free(text: *mut c_char);

    /// Teaches a new context the names that clang uses in CUDA code, so that every context knows the
    /// same ones.
    pub(crate) fn weft_prepare_context(context: LLVMContextRef);

    /// Bitcode of the module, without the names of metadata kinds, operand bundles and
    /// synchronisation scopes that only other modules of its context use. LLVM writes all names that
    /// a context knows; when there are unusual ones, the module goes through its text form into a
    /// context of its own. Null on failure, with a text for [`weft_free`].
    pub(crate) fn weft_write(
        module: LLVMModuleRef,
        failure: *mut *mut c_char,
    ) -> LLVMMemoryBufferRef;

    /// Makes a declaration of a definition. An alias is replaced, so `value` is dead after the call.
    pub(crate) fn weft_drop_definition(value: LLVMValueRef);

    /// Takes all but local definitions out of `llvm.used` and `llvm.compiler.used`, and erases
    /// `__clang_gpu_used_external`.
    pub(crate) fn weft_forget_used(module: LLVMModuleRef);

    /// LLVM's IR mover into `destination`, which must outlive it.
    pub(crate) fn weft_mover_create(destination: LLVMModuleRef) -> *mut c_void;

    /// Ends a mover.
    pub(crate) fn weft_mover_dispose(mover: *mut c_void);

    /// Moves `values`, all of `source`, into the mover's destination, reading their bodies on demand,
    /// and what they refer to as declarations, or as copies where it is local. Consumes `source`,
    /// which must be of the destination's context. Null on success, else a text for [`weft_free`].
    pub(crate) fn weft_mover_move(
        mover: *mut c_void,
        source: LLVMModuleRef,
        values: *mut LLVMValueRef,
        count: usize,
    ) -> *mut c_char;

    /// Removes from the module what the later phases cannot observe: unused declarations, comdats,
    /// identification strings, names of local values and of types.
    pub(crate) fn weft_canonicalise(module: LLVMModuleRef);
}
