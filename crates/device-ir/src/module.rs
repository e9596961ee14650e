//! A module of device bitcode, checked on reading.
//!
//! This file reads, queries and writes modules; `changes.rs` has the changes that remove or move
//! parts of a module, which take it by `&mut`.

use std::ffi::{CStr, CString};
use std::iter::successors;
use std::marker::PhantomData;
use std::ptr;

use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::core::{
    LLVMDisposeModule, LLVMGetDataLayoutStr, LLVMGetFirstFunction, LLVMGetFirstGlobal,
    LLVMGetFirstGlobalAlias, LLVMGetModuleInlineAsm, LLVMGetNamedFunction, LLVMGetNamedGlobal,
    LLVMGetNamedGlobalAlias, LLVMGetNextFunction, LLVMGetNextGlobal, LLVMGetNextGlobalAlias,
    LLVMGetSourceFileName, LLVMGetTarget, LLVMModuleCreateWithNameInContext, LLVMSetDataLayout,
    LLVMSetTarget,
};
use llvm_sys::prelude::{LLVMContextRef, LLVMModuleRef};
use weft_artifact::fits;

use crate::context::Context;
use crate::data_layout;
use crate::error::IrError;
use crate::handles::{Function, Global, Value, listed};
use crate::producer::Producer;
use crate::text::{self, Buffer, Bytes, ShimText};

unsafe extern "C" {
    /// Reads a module, whole and verified, or lazily, from a copy of the bitcode. `is_older` says
    /// that an LLVM before this one wrote it. Null on failure, with the reason. When LLVM crashed,
    /// the context must not be used or disposed of any more.
    fn weft_read(
        context: LLVMContextRef,
        bitcode: Bytes<'_>,
        lazily: bool,
        is_older: bool,
        failure: &mut ShimText,
        has_crashed: &mut bool,
    ) -> LLVMModuleRef;

    /// Bitcode of the module, without the names of metadata kinds, operand bundles and
    /// synchronization scopes that only other modules of its context use. LLVM writes all names
    /// that a context knows; when there are unusual ones, the module goes through its text form
    /// into a separate context. On failure there is no buffer, and `failure` holds the reason.
    safe fn weft_write(module: Shared<'_>, failure: &mut ShimText) -> Buffer;

    /// The reason why LLVM refuses its own text of the module, or none. Its check of a module in
    /// memory overlooks some faults, such as wrong constraints of inline assembly.
    safe fn weft_fault_of_text(module: Shared<'_>) -> ShimText;

    /// LLVM's data layout for a triple.
    safe fn weft_target_data_layout(triple: Bytes<'_>) -> ShimText;
}

/// Part of a module to read at once.
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

/// Texts that a module holds.
#[derive(Clone, Copy)]
enum ModuleText {
    Triple,
    DataLayout,
    Assembly,
    SourceName,
}

/// A module as a function of the shim takes it that removes and moves nothing.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Shared<'m> {
    raw: LLVMModuleRef,
    module: PhantomData<&'m ()>,
}

/// A module as a function of the shim takes it that may remove or move parts of it.
#[repr(transparent)]
pub(crate) struct Exclusive<'m> {
    raw: LLVMModuleRef,
    module: PhantomData<&'m mut ()>,
}

impl<'context> Module<'context> {
    /// Reads device bitcode, and refuses other bytes, bitcode of another LLVM, a module that breaks
    /// LLVM's rules, and another target.
    pub(crate) fn read(
        context: &'context Context,
        bitcode: &[u8],
        reading: Reading,
    ) -> Result<Self, IrError> {
        let mut module = Self::read_any(context, bitcode, reading)?;
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
        let is_older = Producer::of(bitcode)?.is_older();
        let mut raw = ptr::null_mut();
        let lazily = reading == Reading::Lazy;
        let read = context.guard(|has_crashed| {
            let mut failure = ShimText::none();
            // SAFETY: the context is alive. It notes a crash, after which it is leaked, and the
            // failure keeps the caller from using the module.
            raw = unsafe {
                let (context, bitcode) = (context.raw(), Bytes::of(bitcode));
                weft_read(context, bitcode, lazily, is_older, &mut failure, has_crashed)
            };
            failure
        });
        read.map_err(|reason| IrError::Malformed { reason })?;
        Ok(Self { raw, context, bitcode_size: bitcode.len() })
    }

    /// A module for a target, without anything in it.
    pub(crate) fn empty(context: &'context Context, triple: &str) -> Result<Self, IrError> {
        let triple = CString::new(triple)
            .map_err(|_| IrError::Triple { found: triple.replace('\0', "?") })?;
        // SAFETY: the context is alive and the texts are terminated; LLVM copies them.
        let raw = unsafe {
            let raw = LLVMModuleCreateWithNameInContext(c"".as_ptr(), context.raw());
            LLVMSetTarget(raw, triple.as_ptr());
            raw
        };
        Ok(Self { raw, context, bitcode_size: 0 })
    }

    pub(crate) fn raw(&self) -> LLVMModuleRef {
        self.raw
    }

    pub(crate) fn shared(&self) -> Shared<'_> {
        Shared { raw: self.raw, module: PhantomData }
    }

    pub(crate) fn exclusive(&mut self) -> Exclusive<'_> {
        Exclusive { raw: self.raw, module: PhantomData }
    }

    pub(crate) fn context(&self) -> &'context Context {
        self.context
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
        self.text(ModuleText::Triple)
    }

    pub(crate) fn data_layout(&self) -> String {
        self.text(ModuleText::DataLayout)
    }

    /// Assembly outside functions.
    pub(crate) fn assembly(&self) -> String {
        self.text(ModuleText::Assembly)
    }

    /// Name of the source; in a linked module, its module id.
    pub(crate) fn source_name(&self) -> String {
        self.text(ModuleText::SourceName)
    }

    fn text(&self, which: ModuleText) -> String {
        let mut length = 0;
        // SAFETY: the module is alive and keeps its texts until the copy is made. Two of them are
        // terminated, and LLVM says the length of the others.
        let text = unsafe {
            match which {
                ModuleText::Triple => text::terminated(LLVMGetTarget(self.raw)),
                ModuleText::DataLayout => text::terminated(LLVMGetDataLayoutStr(self.raw)),
                ModuleText::Assembly => {
                    text::copied(LLVMGetModuleInlineAsm(self.raw, &raw mut length), length)
                }
                ModuleText::SourceName => {
                    text::copied(LLVMGetSourceFileName(self.raw, &raw mut length), length)
                }
            }
        };
        text.unwrap_or_default()
    }

    /// Replaces the data layout, which handles may hold.
    pub(crate) fn set_data_layout(&mut self, layout: &CStr) {
        // SAFETY: the module is alive, no handle of it is, and LLVM copies the terminated text.
        unsafe { LLVMSetDataLayout(self.raw, layout.as_ptr()) }
    }

    pub(crate) fn has_inline_assembly(&self) -> bool {
        !self.assembly().is_empty()
    }

    /// All variables, functions and aliases, each kind in the module's order.
    pub(crate) fn globals(&self) -> Vec<Global<'_>> {
        // SAFETY: the module is alive, and LLVM goes from each global value of a kind to the next.
        unsafe {
            let variables = successors(listed(LLVMGetFirstGlobal(self.raw)), |&raw| {
                listed(LLVMGetNextGlobal(raw))
            });
            let functions = successors(listed(LLVMGetFirstFunction(self.raw)), |&raw| {
                listed(LLVMGetNextFunction(raw))
            });
            let aliases = successors(listed(LLVMGetFirstGlobalAlias(self.raw)), |&raw| {
                listed(LLVMGetNextGlobalAlias(raw))
            });
            let values = variables.chain(functions).chain(aliases).map(|raw| Value::new(raw));
            values.filter_map(Global::of).collect()
        }
    }

    /// All functions, in the module's order.
    pub(crate) fn functions(&self) -> impl Iterator<Item = Function<'_>> {
        self.globals().into_iter().filter_map(Function::of)
    }

    /// The global value called `name`.
    pub(crate) fn global(&self, name: &str) -> Option<Global<'_>> {
        let terminated = CString::new(name).ok()?;
        // SAFETY: the module is alive; the name is terminated and has the given length. LLVM
        // returns null or a global value of the module.
        unsafe {
            let kinds = [
                LLVMGetNamedFunction(self.raw, terminated.as_ptr()),
                LLVMGetNamedGlobal(self.raw, terminated.as_ptr()),
                LLVMGetNamedGlobalAlias(self.raw, terminated.as_ptr(), name.len()),
            ];
            kinds.into_iter().find_map(listed).map(|raw| Value::new(raw)).and_then(Global::of)
        }
    }

    /// The function called `name`.
    pub(crate) fn function(&self, name: &str) -> Option<Function<'_>> {
        self.global(name).and_then(Function::of)
    }

    /// Checks the module against LLVM's rules.
    pub(crate) fn verify(&self) -> Result<(), IrError> {
        let mut message = ptr::null_mut();
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        // SAFETY: the module is alive; LLVM allocates the message for us to dispose of.
        unsafe {
            let broken = LLVMVerifyModule(self.raw, action, &raw mut message) != 0;
            let reason = text::taken_message(message);
            if broken { Err(IrError::Invalid { reason }) } else { Ok(()) }
        }
    }

    /// Checks that LLVM takes its own text of the module.
    pub(crate) fn check_text(&self) -> Result<(), IrError> {
        let fault = weft_fault_of_text(self.shared()).into_string();
        fault.map_or(Ok(()), |reason| Err(IrError::Invalid { reason }))
    }

    /// The module as bitcode that depends on nothing but the module.
    pub(crate) fn to_bitcode(&self) -> Result<Vec<u8>, IrError> {
        let mut failure = ShimText::none();
        let bitcode = weft_write(self.shared(), &mut failure);
        match failure.into_string() {
            Some(reason) => Err(IrError::Invalid { reason }),
            None => Ok(bitcode.to_vec()),
        }
    }

    /// Gives the module the target's data layout. LLVM's code generator would replace any other
    /// layout, even if earlier passes relied on it, so a layout that contradicts the target's is
    /// refused.
    fn settle_data_layout(&mut self, triple: &str) -> Result<(), IrError> {
        let expected = weft_target_data_layout(Bytes::of(triple)).into_string().unwrap_or_default();
        let found = self.data_layout();
        if found == expected {
            return Ok(());
        }
        match CString::new(expected.as_str()) {
            Ok(layout) if data_layout::agree(&found, &expected) => self.set_data_layout(&layout),
            _ => return Err(IrError::DataLayout { found, expected }),
        }
        Ok(())
    }

    /// Has all functions be for the architecture `expected`. Functions compiled for an architecture
    /// with incompatible code are refused.
    pub(crate) fn settle_architecture(&self, expected: &str) -> Result<(), IrError> {
        for function in self.functions() {
            let Some(found) = function.string_attribute("target-cpu") else { continue };
            if found == expected {
                continue;
            }
            if !fits(&found, expected) {
                let (function, expected) = (function.name(), expected.to_owned());
                return Err(IrError::Architecture { function, found, expected });
            }
            function.set_string_attribute("target-cpu", expected);
            if let Some(features) = function.string_attribute("target-features") {
                let features = features.replace(&format!("+{found}"), &format!("+{expected}"));
                function.set_string_attribute("target-features", &features);
            }
        }
        Ok(())
    }

    /// Gives unnamed symbols names by their position, so plans can refer to them.
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
            // SAFETY: this is the only owner: `into_raw` forgets the module that it gives away. The
            // context outlives the module.
            unsafe { LLVMDisposeModule(self.raw) }
        }
    }
}
