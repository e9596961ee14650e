//! Questions about values of a module: instructions, constants, types.
//!
//! Every function takes values of a module that is alive and does not change; that is what makes
//! them sound.

use llvm_sys::core::{
    LLVMGetCalledValue, LLVMGetFirstBasicBlock, LLVMGetFirstInstruction, LLVMGetIntrinsicID,
    LLVMGetNextBasicBlock, LLVMGetNextInstruction, LLVMGetNumOperands, LLVMGetOperand,
    LLVMGetValueName2, LLVMIsABlockAddress, LLVMIsACallInst, LLVMIsADbgInfoIntrinsic,
    LLVMIsAFunction, LLVMIsAGlobalValue, LLVMIsAInlineAsm, LLVMIsAInvokeInst, LLVMIsConstant,
};
use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};

/// What a call instruction calls.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Callee {
    /// A function or alias that is not an intrinsic.
    Symbol(LLVMValueRef),
    /// One of LLVM's own functions.
    Intrinsic(LLVMValueRef),
    /// Inline assembly.
    Assembly,
    /// A pointer.
    Unknown,
}

/// What `instruction` calls, if it is a call.
pub(crate) fn callee(instruction: LLVMValueRef) -> Option<Callee> {
    // SAFETY: an instruction; the callee is asked for of calls only.
    unsafe {
        if LLVMIsACallInst(instruction).is_null() && LLVMIsAInvokeInst(instruction).is_null() {
            return None;
        }
        let callee = LLVMGetCalledValue(instruction);
        Some(if is_intrinsic(callee) {
            Callee::Intrinsic(callee)
        } else if !LLVMIsAGlobalValue(callee).is_null() {
            Callee::Symbol(callee)
        } else if !LLVMIsAInlineAsm(callee).is_null() {
            Callee::Assembly
        } else {
            Callee::Unknown
        })
    }
}

/// The inline assembly that `instruction` calls, if it calls some.
pub(crate) fn assembly(instruction: LLVMValueRef) -> Option<LLVMValueRef> {
    // SAFETY: a call has a called value.
    (callee(instruction) == Some(Callee::Assembly))
        .then(|| unsafe { LLVMGetCalledValue(instruction) })
}

pub(crate) fn is_intrinsic(value: LLVMValueRef) -> bool {
    // SAFETY: a value; the number is asked for of functions only.
    unsafe { !LLVMIsAFunction(value).is_null() && LLVMGetIntrinsicID(value) != 0 }
}

/// Whether it is a debug intrinsic, which is no code.
pub(crate) fn is_debug(instruction: LLVMValueRef) -> bool {
    // SAFETY: an instruction.
    unsafe { !LLVMIsADbgInfoIntrinsic(instruction).is_null() }
}

pub(crate) fn name(value: LLVMValueRef) -> String {
    let mut length = 0;
    // SAFETY: a value; the name is LLVM's and copied.
    unsafe {
        let start = LLVMGetValueName2(value, &raw mut length).cast::<u8>();
        String::from_utf8_lossy(std::slice::from_raw_parts(start, length)).into_owned()
    }
}

/// The blocks of a function, in order.
pub(crate) fn blocks(function: LLVMValueRef) -> impl Iterator<Item = LLVMBasicBlockRef> {
    // SAFETY: LLVM's iteration functions on a function and on blocks that they returned.
    let first = unsafe { LLVMGetFirstBasicBlock(function) };
    std::iter::successors((!first.is_null()).then_some(first), |&block| {
        // SAFETY: as above.
        let next = unsafe { LLVMGetNextBasicBlock(block) };
        (!next.is_null()).then_some(next)
    })
}

/// The instructions of a block, in order.
pub(crate) fn instructions(block: LLVMBasicBlockRef) -> impl Iterator<Item = LLVMValueRef> {
    // SAFETY: LLVM's iteration functions on a block and on instructions that they returned.
    let first = unsafe { LLVMGetFirstInstruction(block) };
    std::iter::successors((!first.is_null()).then_some(first), |&instruction| {
        // SAFETY: as above.
        let next = unsafe { LLVMGetNextInstruction(instruction) };
        (!next.is_null()).then_some(next)
    })
}

/// The operands of an instruction or a constant, in order. The last one of a call is its callee.
pub(crate) fn operands(value: LLVMValueRef) -> impl Iterator<Item = LLVMValueRef> {
    // SAFETY: a user, and positions below its operand count.
    let count = u32::try_from(unsafe { LLVMGetNumOperands(value) }).unwrap_or(0);
    // SAFETY: as above.
    (0..count).map(move |position| unsafe { LLVMGetOperand(value, position) })
}

pub(crate) fn is_constant(value: LLVMValueRef) -> bool {
    // SAFETY: a value.
    unsafe { LLVMIsConstant(value) != 0 }
}

pub(crate) fn is_global_value(value: LLVMValueRef) -> bool {
    // SAFETY: a value.
    unsafe { !LLVMIsAGlobalValue(value).is_null() }
}

pub(crate) fn is_block_address(value: LLVMValueRef) -> bool {
    // SAFETY: a value.
    unsafe { !LLVMIsABlockAddress(value).is_null() }
}
