//! Blocks, instructions and calls.

use std::iter::successors;
use std::marker::PhantomData;
use std::ops::Deref;

use llvm_sys::core::{
    LLVMAddCallSiteAttribute, LLVMGetCallSiteEnumAttribute, LLVMGetCalledFunctionType,
    LLVMGetCalledValue, LLVMGetFirstInstruction, LLVMGetInlineAsmAsmString,
    LLVMGetInstructionOpcode, LLVMGetNextInstruction, LLVMGetNumArgOperands, LLVMGetNumSuccessors,
    LLVMGetOperand, LLVMGetReturnType, LLVMTypeOf,
};
use llvm_sys::prelude::LLVMBasicBlockRef;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMOpcode};

use super::attributes::{self, BY_VALUE};
use super::global::Global;
use super::types::Type;
use super::value::{Class, Value};
use crate::text;

unsafe extern "C" {
    /// Whether operand `operand` of `instruction` is the address of a variable or of a part of one,
    /// and nothing is done with it but to read the content: neither by the instruction nor by those
    /// that use the address in turn.
    safe fn weft_only_reads_through(instruction: Instruction<'_>, operand: u32) -> bool;
}

/// A block of a function.
#[derive(Clone, Copy)]
pub(crate) struct Block<'m> {
    raw: LLVMBasicBlockRef,
    module: PhantomData<&'m ()>,
}

impl<'m> Block<'m> {
    /// # Safety
    ///
    /// `raw` is a block of a function whose body stays as it is for `'m`.
    pub(super) unsafe fn new(raw: LLVMBasicBlockRef) -> Self {
        Self { raw, module: PhantomData }
    }

    /// Instructions of the block, in order.
    pub(crate) fn instructions(self) -> impl Iterator<Item = Instruction<'m>> {
        // SAFETY: the block and its instructions stay for `'m`, and LLVM goes from each to the
        // next.
        unsafe {
            let first = listed(LLVMGetFirstInstruction(self.raw));
            successors(first, |&raw| listed(LLVMGetNextInstruction(raw)))
                .map(|raw| Instruction(Value::new(raw)))
        }
    }
}

/// A member of one of LLVM's lists; `None` at the end of the list.
pub(crate) fn listed<T>(raw: *mut T) -> Option<*mut T> {
    (!raw.is_null()).then_some(raw)
}

/// An instruction of a function's body.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Instruction<'m>(Value<'m>);

/// Kinds of instructions that callers distinguish, with the facts that they need.
#[derive(Clone, Copy)]
pub(crate) enum Operation<'m> {
    /// A load.
    Load,
    /// A store.
    Store,
    /// A switch with so many cases besides the default one.
    Switch { cases: u32 },
    /// A call or an invoke.
    Call(Call<'m>),
    /// Any other instruction.
    Other,
}

impl<'m> Deref for Instruction<'m> {
    type Target = Value<'m>;

    fn deref(&self) -> &Value<'m> {
        &self.0
    }
}

impl<'m> Instruction<'m> {
    /// Whether its operand at `position` names a variable whose content is only read through it.
    pub(crate) fn only_reads_through(self, position: u32) -> bool {
        weft_only_reads_through(self, position)
    }

    pub(crate) fn operation(self) -> Operation<'m> {
        let raw = self.raw();
        // SAFETY: each question is asked of the kind of instruction that has an answer; a switch
        // ends its block.
        unsafe {
            match LLVMGetInstructionOpcode(raw) {
                LLVMOpcode::LLVMLoad => Operation::Load,
                LLVMOpcode::LLVMStore => Operation::Store,
                LLVMOpcode::LLVMSwitch => {
                    Operation::Switch { cases: LLVMGetNumSuccessors(raw).saturating_sub(1) }
                }
                LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke => Operation::Call(Call(self)),
                _ => Operation::Other,
            }
        }
    }

    /// The call that the instruction is, if it is one.
    pub(crate) fn call(self) -> Option<Call<'m>> {
        if let Operation::Call(call) = self.operation() { Some(call) } else { None }
    }

    /// Whether it is a debug intrinsic, which is no code.
    pub(crate) fn is_debug(self) -> bool {
        self.is_a(Class::DebugIntrinsic)
    }
}

/// A call or invoke instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Call<'m>(Instruction<'m>);

/// Target of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Callee<'m> {
    /// A function or alias that is not an intrinsic.
    Symbol(Global<'m>),
    /// One of LLVM's own functions.
    Intrinsic(Global<'m>),
    /// Inline assembly. Equal assembly is one value, however many calls have it.
    Assembly(Value<'m>),
    /// A pointer.
    Unknown,
}

impl<'m> Call<'m> {
    pub(crate) fn callee(self) -> Callee<'m> {
        // SAFETY: every call has a called value.
        let callee = unsafe { Value::new(LLVMGetCalledValue(self.raw())) };
        match Global::of(callee) {
            Some(global) if global.is_intrinsic() => Callee::Intrinsic(global),
            Some(global) => Callee::Symbol(global),
            None if callee.is_a(Class::InlineAssembly) => Callee::Assembly(callee),
            None => Callee::Unknown,
        }
    }

    /// Text of the inline assembly that is called, with the value that represents it.
    pub(crate) fn assembly(self) -> Option<(Value<'m>, String)> {
        let Callee::Assembly(template) = self.callee() else { return None };
        let mut length = 0;
        // SAFETY: the value is inline assembly, and LLVM keeps its text until the copy is made.
        let text = unsafe {
            let start = LLVMGetInlineAsmAsmString(template.raw(), &raw mut length);
            text::copied(start, length)
        };
        Some((template, text.unwrap_or_default()))
    }

    /// Types that the call passes.
    pub(crate) fn argument_types(self) -> Vec<Type<'m>> {
        let (call, by_value) = (self.raw(), attributes::kind(BY_VALUE));
        // SAFETY: the first operands of a call are its arguments, and attributes of arguments are
        // counted from 1.
        unsafe {
            (0..LLVMGetNumArgOperands(call))
                .map(|position| {
                    let attribute = LLVMGetCallSiteEnumAttribute(call, position + 1, by_value);
                    let argument = LLVMGetOperand(call, position);
                    attributes::passed_type(attribute, Type::new(LLVMTypeOf(argument)))
                })
                .collect()
        }
    }

    /// Type that the call returns.
    pub(crate) fn result_type(self) -> Type<'m> {
        // SAFETY: every call has the type of a function, which has a result.
        unsafe { Type::new(LLVMGetReturnType(LLVMGetCalledFunctionType(self.raw()))) }
    }

    /// Gives the call an attribute without a value, such as `noduplicate`.
    pub(crate) fn add_flag(self, name: &str) {
        let flag = attributes::flag(*self.0, name);
        // SAFETY: the attribute is of the call's context.
        unsafe { LLVMAddCallSiteAttribute(self.raw(), LLVMAttributeFunctionIndex, flag) }
    }

    /// Gives the call an attribute with a text, such as `inline-remark`.
    pub(crate) fn add_text(self, name: &str, text: &str) {
        let attribute = attributes::text(*self.0, name, text);
        // SAFETY: the attribute is of the call's context.
        unsafe { LLVMAddCallSiteAttribute(self.raw(), LLVMAttributeFunctionIndex, attribute) }
    }
}

impl<'m> Deref for Call<'m> {
    type Target = Instruction<'m>;

    fn deref(&self) -> &Instruction<'m> {
        &self.0
    }
}
