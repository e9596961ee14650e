//! Texts and buffers that cross the border to C++.

use std::ffi::{CStr, c_char};
use std::marker::PhantomData;
use std::ptr;

use llvm_sys::core::{
    LLVMDisposeMemoryBuffer, LLVMDisposeMessage, LLVMGetBufferSize, LLVMGetBufferStart,
};
use llvm_sys::prelude::LLVMMemoryBufferRef;

use crate::layout::layout;

unsafe extern "C" {
    /// Frees a text that the shim allocated; null is no text.
    fn weft_free(text: *mut c_char);
}

/// Bytes of ours that the shim reads during one call.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Bytes<'a> {
    start: *const c_char,
    length: usize,
    borrowed: PhantomData<&'a [u8]>,
}

layout! {
    Bytes<'_>: start, length;
    constexpr size_t BytesLayout[] = {16, 0, 8};
}

impl<'a> Bytes<'a> {
    pub(crate) fn of(bytes: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        let bytes = bytes.as_ref();
        Self { start: bytes.as_ptr().cast(), length: bytes.len(), borrowed: PhantomData }
    }
}

/// A terminated text that the shim allocated, or no text.
#[repr(transparent)]
pub(crate) struct ShimText(*mut c_char);

impl ShimText {
    /// No text yet: a place for the shim to write one to.
    pub(crate) fn none() -> Self {
        Self(ptr::null_mut())
    }

    pub(crate) fn into_string(self) -> Option<String> {
        // SAFETY: only `none` and the shim make values of this type, so it is null or terminated.
        unsafe { terminated(self.0) }
    }
}

impl Drop for ShimText {
    fn drop(&mut self) {
        // SAFETY: this is the only owner of the text, which the shim allocated.
        unsafe { weft_free(self.0) }
    }
}

/// A buffer that LLVM allocated, or none.
#[repr(transparent)]
pub(crate) struct Buffer(LLVMMemoryBufferRef);

impl Buffer {
    /// No buffer, for a function that makes one.
    pub(crate) fn none() -> Self {
        Self(ptr::null_mut())
    }

    /// The content; empty if there is no buffer.
    pub(crate) fn to_vec(&self) -> Vec<u8> {
        if self.0.is_null() {
            return Vec::new();
        }
        // SAFETY: this is the owner of a buffer, which has so many bytes from its start on.
        unsafe {
            let start = LLVMGetBufferStart(self.0).cast::<u8>();
            std::slice::from_raw_parts(start, LLVMGetBufferSize(self.0)).to_vec()
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: this is the only owner of the buffer.
            unsafe { LLVMDisposeMemoryBuffer(self.0) }
        }
    }
}

/// Copies a text that has a length; `None` for null.
///
/// # Safety
///
/// `start` is null, or `length` bytes can be read from there on.
pub(crate) unsafe fn copied(start: *const c_char, length: usize) -> Option<String> {
    if start.is_null() {
        return None;
    }
    // SAFETY: the caller promises that so many bytes can be read.
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) };
    Some(String::from_utf8_lossy(bytes).into_owned())
}

/// Copies a text that ends with a zero; `None` for null.
///
/// # Safety
///
/// `text` is null or a terminated text.
pub(crate) unsafe fn terminated(text: *const c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the caller promises that the text is terminated.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// Takes a message that LLVM's C API allocated. Null is the empty message.
///
/// # Safety
///
/// `message` is null or a message of LLVM's that nothing else disposes of.
pub(crate) unsafe fn taken_message(message: *mut c_char) -> String {
    // SAFETY: LLVM's messages are terminated, and this one is disposed of once, after the copy.
    unsafe {
        let text = terminated(message).unwrap_or_default();
        LLVMDisposeMessage(message);
        text.trim().to_owned()
    }
}
