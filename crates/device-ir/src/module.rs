//! A module of device bitcode, checked on reading.

use std::ptr;

use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::core::{
    LLVMDisposeMemoryBuffer, LLVMDisposeModule, LLVMGetBufferSize, LLVMGetBufferStart,
    LLVMGetDataLayoutStr, LLVMGetFirstFunction, LLVMGetFirstGlobal, LLVMGetFirstGlobalAlias,
    LLVMGetModuleInlineAsm, LLVMGetNamedFunction, LLVMGetNamedGlobal, LLVMGetNamedGlobalAlias,
    LLVMGetNextFunction, LLVMGetNextGlobal, LLVMGetNextGlobalAlias, LLVMGetSourceFileName,
    LLVMGetTarget, LLVMSetDataLayout, LLVMSetSourceFileName,
};
use llvm_sys::prelude::{LLVMMemoryBufferRef, LLVMModuleRef, LLVMValueRef};

use crate::context::{Context, take_message, take_shim_text};
use crate::emission_shim::weft_target_data_layout;
use crate::error::{IrError, ProducerAge};
use crate::global::{Global, GlobalKind};
use crate::shim::{
    weft_bitcode_producer, weft_canonicalise, weft_drop_unused_declarations, weft_forget_metadata,
    weft_forget_used, weft_load, weft_read, weft_write,
};

/// Raw bitcode and the wrapper that some tools put around it.
const MAGICS: [[u8; 4]; 2] = [*b"BC\xC0\xDE", [0xDE, 0xC0, 0x17, 0x0B]];

/// How much of a module to read at once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Every body.
    Whole,
    /// The symbols; bodies when they are asked for.
    Lazy,
}

/// A module in a context.
pub(crate) struct Module<'context> {
    raw: LLVMModuleRef,
    context: &'context Context,
    /// Length of the bitcode that it was read from, in bytes.
    bitcode_size: usize,
}

impl<'context> Module<'context> {
    /// Reads device bitcode, refusing what is not: other bytes, another LLVM, a module that breaks
    /// LLVM's rules, another target.
    pub(crate) fn read(
        context: &'context Context,
        bitcode: &[u8],
        reading: Reading,
    ) -> Result<Self, IrError> {
        let module = Self::read_any(context, bitcode, reading)?;
        let triple = module.triple();
        if !triple.starts_with("nvptx64-") {
            return Err(IrError::Triple { found: triple });
        }
        module.settle_data_layout(&triple)?;
        module.name_anonymous_globals();
        Ok(module)
    }

    /// Reads bitcode for any target.
    pub(crate) fn read_any(
        context: &'context Context,
        bitcode: &[u8],
        reading: Reading,
    ) -> Result<Self, IrError> {
        producer(bitcode)?;
        let (mut raw, mut failure) = (ptr::null_mut(), ptr::null_mut());
        let (data, size) = (bitcode.as_ptr().cast(), bitcode.len());
        let lazily = reading == Reading::Lazy;
        let read = context.guard(|has_crashed| {
            // SAFETY: the range is the slice's, and LLVM reads a copy; the text is given on.
            unsafe {
                raw = weft_read(context.raw(), data, size, lazily, &raw mut failure, has_crashed);
            }
            failure
        });
        read.map_err(|reason| IrError::Malformed { reason })?;
        Ok(Self { raw, context, bitcode_size: bitcode.len() })
    }

    pub(crate) fn raw(&self) -> LLVMModuleRef {
        self.raw
    }

    pub(crate) fn bitcode_size(&self) -> usize {
        self.bitcode_size
    }

    /// Gives the module away to a function of LLVM's that consumes it.
    pub(crate) fn into_raw(self) -> LLVMModuleRef {
        let raw = self.raw;
        std::mem::forget(self);
        raw
    }

    pub(crate) fn triple(&self) -> String {
        // SAFETY: the module is valid and LLVM owns the string.
        unsafe { text_of(LLVMGetTarget(self.raw)) }
    }

    pub(crate) fn data_layout(&self) -> String {
        // SAFETY: as for the triple.
        unsafe { text_of(LLVMGetDataLayoutStr(self.raw)) }
    }

    pub(crate) fn has_inline_assembly(&self) -> bool {
        !self.assembly().is_empty()
    }

    /// The assembly outside functions.
    pub(crate) fn assembly(&self) -> String {
        let mut length = 0;
        // SAFETY: the module is valid; LLVM owns the text of that length, which is copied.
        unsafe {
            let start = LLVMGetModuleInlineAsm(self.raw, &raw mut length).cast::<u8>();
            if start.is_null() {
                return String::new();
            }
            String::from_utf8_lossy(std::slice::from_raw_parts(start, length)).into_owned()
        }
    }

    /// Every global value: variables, functions, aliases, each kind in the module's order.
    pub(crate) fn globals(&self) -> Vec<Global<'_>> {
        let mut globals = Vec::new();
        // SAFETY: LLVM's iteration functions on a valid module and on values it returned.
        unsafe {
            collect(&mut globals, LLVMGetFirstGlobal(self.raw), |it| LLVMGetNextGlobal(it));
            collect(&mut globals, LLVMGetFirstFunction(self.raw), |it| LLVMGetNextFunction(it));
            collect(&mut globals, LLVMGetFirstGlobalAlias(self.raw), |it| {
                LLVMGetNextGlobalAlias(it)
            });
        }
        globals
    }

    /// The global value called `name`.
    pub(crate) fn global(&self, name: &str) -> Option<Global<'_>> {
        let terminated = std::ffi::CString::new(name).ok()?;
        // SAFETY: the module is valid, the name is terminated and has its length.
        let kinds = unsafe {
            [
                LLVMGetNamedFunction(self.raw, terminated.as_ptr()),
                LLVMGetNamedGlobal(self.raw, terminated.as_ptr()),
                LLVMGetNamedGlobalAlias(self.raw, terminated.as_ptr(), name.len()),
            ]
        };
        let raw = kinds.into_iter().find(|raw| !raw.is_null())?;
        // SAFETY: a value of this module.
        Some(unsafe { Global::new(raw) })
    }

    /// Forgets clang's and the user's `used` lists but for locals; see the shim.
    pub(crate) fn forget_used(&self) {
        // SAFETY: the module is valid.
        unsafe { weft_forget_used(self.raw) }
    }

    /// Removes what cannot be observed and sets the source name to `name`.
    pub(crate) fn canonicalise(&self, name: &str) {
        // SAFETY: the module is valid and the name has its length.
        unsafe {
            LLVMSetSourceFileName(self.raw, name.as_ptr().cast(), name.len());
            weft_canonicalise(self.raw);
        }
    }

    /// Reads what is left of a module that was read lazily, and checks it. The definitions `dropped`
    /// become declarations, and their bodies are not read.
    pub(crate) fn load_without(&self, dropped: &[Global<'_>]) -> Result<(), IrError> {
        let mut dropped: Vec<_> = dropped.iter().map(|global| global.raw()).collect();
        let (values, count) = (dropped.as_mut_ptr(), dropped.len());
        let loaded = self.context.guard(|has_crashed| {
            // SAFETY: the values are the module's; an alias among them is not used again.
            unsafe { weft_load(self.raw, self.bitcode_size, values, count, has_crashed) }
        });
        loaded.map_err(|reason| IrError::Malformed { reason })
    }

    /// Forgets metadata that is not of a definition, but for the module's flags.
    pub(crate) fn forget_metadata(&self) {
        // SAFETY: the module is valid.
        unsafe { weft_forget_metadata(self.raw) }
    }

    /// Removes declarations that nothing uses.
    pub(crate) fn drop_unused_declarations(&self) {
        // SAFETY: the module is valid.
        unsafe { weft_drop_unused_declarations(self.raw) }
    }

    /// The name of the source; in a linked module, its module id.
    pub(crate) fn source_name(&self) -> String {
        let mut length = 0;
        // SAFETY: the module is valid; LLVM owns the text of that length, which is copied.
        unsafe {
            let start = LLVMGetSourceFileName(self.raw, &raw mut length).cast::<u8>();
            String::from_utf8_lossy(std::slice::from_raw_parts(start, length)).into_owned()
        }
    }

    /// Checks the module against LLVM's rules.
    pub(crate) fn verify(&self) -> Result<(), IrError> {
        let mut message = ptr::null_mut();
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        // SAFETY: the module is valid; the message is LLVM's to give and ours to dispose of.
        unsafe {
            let broken = LLVMVerifyModule(self.raw, action, &raw mut message) != 0;
            let reason = take_message(message);
            if broken { Err(IrError::Invalid { reason }) } else { Ok(()) }
        }
    }

    /// The module as bitcode that depends on nothing but the module.
    pub(crate) fn to_bitcode(&self) -> Result<Vec<u8>, IrError> {
        let mut failure = ptr::null_mut();
        // SAFETY: the module is valid, the buffer and the text are ours.
        unsafe {
            let buffer = weft_write(self.raw, &raw mut failure);
            match take_shim_text(failure) {
                Some(reason) => Err(IrError::Invalid { reason }),
                None => Ok(take_buffer(buffer)),
            }
        }
    }

    /// Refuses another data layout than the target's, and gives a module without one the target's.
    /// LLVM's code generator would put its own in place of any, whatever earlier passes relied on.
    fn settle_data_layout(&self, triple: &str) -> Result<(), IrError> {
        // SAFETY: the triple has its length; the text is ours to free.
        let expected = unsafe {
            take_shim_text(weft_target_data_layout(triple.as_ptr().cast(), triple.len()))
        };
        let (found, expected) = (self.data_layout(), expected.unwrap_or_default());
        if found.is_empty()
            && let Ok(expected) = std::ffi::CString::new(expected.as_str())
        {
            // SAFETY: the module is valid and the text terminated.
            unsafe { LLVMSetDataLayout(self.raw, expected.as_ptr()) }
        } else if found != expected {
            return Err(IrError::DataLayout { found, expected });
        }
        Ok(())
    }

    /// Refuses functions that were compiled for another architecture than `expected`.
    pub(crate) fn check_architecture(&self, expected: &str) -> Result<(), IrError> {
        let functions = self.globals().into_iter().filter(|it| it.kind() == GlobalKind::Function);
        for function in functions {
            match function.string_attribute("target-cpu") {
                Some(found) if found != expected => {
                    let (function, expected) = (function.name(), expected.to_owned());
                    return Err(IrError::Architecture { function, found, expected });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Names what has no name, so that plans can speak of it: by position, as nothing else is known.
    fn name_anonymous_globals(&self) {
        let anonymous = self.globals().into_iter().filter(|global| global.name().is_empty());
        for (position, global) in anonymous.enumerate() {
            global.set_name(&format!("weft_anonymous_{position}"));
        }
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        if !self.context.is_broken() {
            // SAFETY: owned, and not given away.
            unsafe { LLVMDisposeModule(self.raw) }
        }
    }
}

/// Copies and disposes of a buffer of LLVM's.
///
/// # Safety
///
/// `buffer` is valid and nobody else disposes of it.
pub(crate) unsafe fn take_buffer(buffer: LLVMMemoryBufferRef) -> Vec<u8> {
    // SAFETY: the caller's promise.
    unsafe {
        let start = LLVMGetBufferStart(buffer).cast::<u8>();
        let content = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
        LLVMDisposeMemoryBuffer(buffer);
        content
    }
}

/// Name and version of the LLVM that wrote `bitcode`; one that Weft cannot read is an error.
pub(crate) fn producer(bitcode: &[u8]) -> Result<String, IrError> {
    if !MAGICS.iter().any(|magic| bitcode.starts_with(magic)) {
        return Err(IrError::NotBitcode);
    }
    // SAFETY: the range is the slice's; the text is ours to free.
    let producer =
        unsafe { take_shim_text(weft_bitcode_producer(bitcode.as_ptr().cast(), bitcode.len())) };
    match producer {
        None => Err(IrError::Malformed { reason: "it names no producer".to_owned() }),
        Some(found) if found.starts_with("LLVM22.") => Ok(found),
        Some(found) => Err(IrError::Producer { age: age_of(&found), found }),
    }
}

/// How a producer stands to LLVM 22, by the number after `LLVM`.
fn age_of(producer: &str) -> ProducerAge {
    let version = producer.strip_prefix("LLVM").and_then(|it| it.split('.').next()?.parse().ok());
    match version {
        Some(0..22) => ProducerAge::TooOld,
        Some(23_u32..) => ProducerAge::TooNew,
        Some(22) | None => ProducerAge::Foreign,
    }
}

/// # Safety
///
/// `text` is null or a terminated string that outlives the call.
unsafe fn text_of(text: *const std::ffi::c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    unsafe { std::ffi::CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// # Safety
///
/// `first` is null or a global value of a valid module, and so is everything `next` returns.
unsafe fn collect(
    globals: &mut Vec<Global<'_>>,
    first: LLVMValueRef,
    next: impl Fn(LLVMValueRef) -> LLVMValueRef,
) {
    let mut current = first;
    while !current.is_null() {
        // SAFETY: the caller's promise.
        globals.push(unsafe { Global::new(current) });
        current = next(current);
    }
}
