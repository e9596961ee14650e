//! An LLVM context that keeps its diagnostics instead of printing them.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::sync::Once;

use llvm_sys::LLVMDiagnosticSeverity;
use llvm_sys::core::{
    LLVMContextCreate, LLVMContextDispose, LLVMContextSetDiagnosticHandler,
    LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity,
};
use llvm_sys::prelude::{LLVMContextRef, LLVMDiagnosticInfoRef};

use crate::text::{Bytes, ShimText, taken_message};

unsafe extern "C" {
    /// Starts LLVM, and makes a fatal error of LLVM's end the guarded work that it happened in, or
    /// else the process with the exit code for a defect. LLVM gives up if it is called twice.
    safe fn weft_start();

    /// Teaches a new context the names that clang uses in CUDA code, so that every context knows
    /// the same ones.
    fn weft_prepare_context(context: LLVMContextRef);

    /// Name and version of the LLVM that wrote the bitcode, or none when there is no identification
    /// block to read.
    pub(crate) safe fn weft_bitcode_producer(bitcode: Bytes<'_>) -> ShimText;
}

/// Owner of everything that LLVM makes in one operation.
pub(crate) struct Context {
    raw: LLVMContextRef,
    /// Boxed, because LLVM holds its address.
    errors: Box<RefCell<Vec<String>>>,
    /// Whether LLVM crashed while it worked in the context, which cannot be trusted then.
    is_broken: Cell<bool>,
}

impl Context {
    pub(crate) fn new() -> Self {
        start();
        let errors = Box::new(RefCell::new(Vec::new()));
        // SAFETY: the context is new. The handler gets the address of a box, which the structure
        // keeps until the context is gone: `drop` disposes of the context, and only then fields go.
        let raw = unsafe {
            let raw = LLVMContextCreate();
            let address = std::ptr::from_ref::<RefCell<Vec<String>>>(&errors);
            weft_prepare_context(raw);
            LLVMContextSetDiagnosticHandler(raw, Some(record), address.cast_mut().cast());
            raw
        };
        Self { raw, errors, is_broken: Cell::new(false) }
    }

    pub(crate) fn raw(&self) -> LLVMContextRef {
        self.raw
    }

    /// Calls `work`, which works on bitcode that may be damaged and returns no text, or the reason
    /// for its failure; it sets its argument if LLVM crashed. In that case the context is leaked in
    /// the end, and so is all that is in it: the process has nothing left to do but to say so.
    pub(crate) fn guard(&self, work: impl FnOnce(&mut bool) -> ShimText) -> Result<(), String> {
        let mut has_crashed = false;
        let failure = work(&mut has_crashed);
        self.is_broken.set(self.is_broken() || has_crashed);
        failure.into_string().map_or(Ok(()), Err)
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken.get()
    }

    /// The errors that LLVM reported since the last call.
    pub(crate) fn take_errors(&self) -> Option<String> {
        let errors = self.errors.take();
        (!errors.is_empty()).then(|| errors.join("; "))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if self.is_broken() {
            return;
        }
        // SAFETY: this is the only owner. Modules borrow the context, so they are gone.
        unsafe { LLVMContextDispose(self.raw) }
    }
}

/// Starts LLVM once. By itself, LLVM ends the process with exit code 1 where it cannot go on, and
/// that code is not one of Weft's.
fn start() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| weft_start());
}

extern "C" fn record(info: LLVMDiagnosticInfoRef, errors: *mut c_void) {
    // SAFETY: LLVM calls this with a living diagnostic and with the address that `Context::new`
    // gave it, which is of the context's own errors. The description is allocated for us.
    unsafe {
        if LLVMGetDiagInfoSeverity(info) == LLVMDiagnosticSeverity::LLVMDSError {
            let errors = &*errors.cast_const().cast::<RefCell<Vec<String>>>();
            errors.borrow_mut().push(taken_message(LLVMGetDiagInfoDescription(info)));
        }
    }
}
