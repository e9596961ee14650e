//! An LLVM context that keeps its diagnostics instead of printing them.

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_char, c_void};
use std::sync::Once;

use llvm_sys::LLVMDiagnosticSeverity;
use llvm_sys::core::{
    LLVMContextCreate, LLVMContextDispose, LLVMContextSetDiagnosticHandler, LLVMDisposeMessage,
    LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity,
};
use llvm_sys::prelude::{LLVMContextRef, LLVMDiagnosticInfoRef};

use crate::shim::{weft_end_on_fatal_errors, weft_free, weft_prepare_context};

/// Owns everything that LLVM makes in one operation.
pub(crate) struct Context {
    raw: LLVMContextRef,
    /// Boxed, because LLVM holds its address.
    errors: Box<RefCell<Vec<String>>>,
    /// LLVM crashed while it built something in the context: what is there cannot be trusted.
    is_broken: Cell<bool>,
}

impl Context {
    pub(crate) fn new() -> Self {
        end_on_fatal_errors();
        let errors = Box::new(RefCell::new(Vec::new()));
        // SAFETY: a new context is valid; the handler's pointer stays valid as long as `errors`,
        // which the struct drops after the context.
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

    /// Calls `read`, which reads bitcode that may be damaged and returns null or a text of the shim's, why it
    /// failed; it sets the variable at its argument if LLVM crashed. In that case the context is leaked in
    /// the end, and so is all that is in it: the process has nothing left to do but to say so.
    pub(crate) fn guard(&self, read: impl FnOnce(*mut bool) -> *mut c_char) -> Result<(), String> {
        let mut has_crashed = false;
        let failure = read(&raw mut has_crashed);
        self.is_broken.set(self.is_broken() || has_crashed);
        // SAFETY: null or a text that nobody else frees.
        unsafe { take_shim_text(failure) }.map_or(Ok(()), Err)
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken.get()
    }

    /// The errors since the last call, or `otherwise` when LLVM said nothing.
    pub(crate) fn take_errors(&self, otherwise: &str) -> String {
        let errors = self.errors.take();
        if errors.is_empty() { otherwise.to_owned() } else { errors.join("; ") }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if self.is_broken() {
            return;
        }
        // SAFETY: made in `new`, and the modules in it borrow the context, so they are gone.
        unsafe { LLVMContextDispose(self.raw) }
    }
}

/// LLVM ends the process where it cannot go on, with exit code 1. That code is not one of Weft's.
fn end_on_fatal_errors() {
    static ONCE: Once = Once::new();
    // SAFETY: called once, before anything else of LLVM.
    ONCE.call_once(|| unsafe { weft_end_on_fatal_errors() });
}

extern "C" fn record(info: LLVMDiagnosticInfoRef, errors: *mut c_void) {
    // SAFETY: LLVM calls this with a valid diagnostic and with the pointer of `Context::new`.
    unsafe {
        if LLVMGetDiagInfoSeverity(info) == LLVMDiagnosticSeverity::LLVMDSError {
            let errors = &*errors.cast_const().cast::<RefCell<Vec<String>>>();
            errors.borrow_mut().push(take_message(LLVMGetDiagInfoDescription(info)));
        }
    }
}

/// Takes a message that LLVM's C API allocated. Null is the empty message.
///
/// # Safety
///
/// `message` is null or a message of LLVM's that nobody else disposes of.
pub(crate) unsafe fn take_message(message: *mut c_char) -> String {
    // SAFETY: the caller's promise.
    unsafe {
        if message.is_null() {
            return String::new();
        }
        let text = CStr::from_ptr(message).to_string_lossy().trim().to_owned();
        LLVMDisposeMessage(message);
        text
    }
}

/// Takes a text that the shim allocated; `None` for null.
///
/// # Safety
///
/// `text` is null or a text of the shim's that nobody else frees.
pub(crate) unsafe fn take_shim_text(text: *mut c_char) -> Option<String> {
    // SAFETY: the caller's promise.
    unsafe {
        if text.is_null() {
            return None;
        }
        let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
        weft_free(text);
        Some(copy)
    }
}
