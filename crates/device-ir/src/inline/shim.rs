//! The contracts of `shim/optimise.cpp`.

use std::ffi::{c_char, c_void};

use llvm_sys::prelude::{LLVMModuleRef, LLVMValueRef};
use llvm_sys::target_machine::LLVMTargetMachineRef;

unsafe extern "C" {
    /// Runs the pipeline of a level, 0 to 3, on the module for the machine, with an inliner that asks
    /// `asker` about each call of a known function, callees before callers.
    pub(crate) fn weft_optimise(
        module: LLVMModuleRef,
        machine: LLVMTargetMachineRef,
        level: u32,
        order: *const Order,
        asker: *const Asker,
    );

    /// The number of a function's instructions.
    pub(crate) fn weft_instruction_count(function: LLVMValueRef) -> u32;
}

/// What the pipeline is made of.
#[repr(C)]
pub(crate) struct Order {
    /// LLVM's own threshold.
    pub(crate) inline_threshold: i32,
    /// No two arrays on the stack share their place.
    pub(crate) keeps_allocas_apart: bool,
    /// Loops are unrolled by LLVM's limits.
    pub(crate) unrolls_loops: bool,
}

/// Who decides.
#[repr(C)]
pub(crate) struct Asker {
    /// Goes into both functions.
    pub(crate) data: *mut c_void,
    /// Whether LLVM's own decision is wanted, too.
    pub(crate) asks_llvm: bool,
    /// Whether to inline a call.
    pub(crate) advise: unsafe extern "C" fn(data: *mut c_void, facts: *const CallFacts) -> bool,
    /// Ends each `advise`: whether the call was inlined.
    pub(crate) conclude: unsafe extern "C" fn(data: *mut c_void, inlined: bool),
}

/// One call, as LLVM sees it.
#[repr(C)]
pub(crate) struct CallFacts {
    pub(crate) call: LLVMValueRef,
    pub(crate) caller: LLVMValueRef,
    pub(crate) callee: LLVMValueRef,
    /// What attributes say before any cost: 0 nothing, 1 always, 2 never.
    pub(crate) standing: u32,
    /// Why never, a text of LLVM's, or null.
    pub(crate) standing_reason: *const c_char,
    /// Why the body cannot be inlined at all, a text of LLVM's, or null.
    pub(crate) not_viable: *const c_char,
    pub(crate) has_growth: bool,
    /// What the caller grows by, 5 for each instruction, in LLVM's estimate, which knows the call's
    /// constants.
    pub(crate) growth: i32,
    /// LLVM's own decision, with its numbers.
    pub(crate) llvm_inlines: bool,
    pub(crate) llvm_cost: i32,
    pub(crate) llvm_threshold: i32,
    /// Loops around the call.
    pub(crate) loop_depth: u32,
    /// Arguments that are constants.
    pub(crate) constant_arguments: u32,
    /// Arguments that point to the caller's stack.
    pub(crate) stack_arguments: u32,
    /// The callee can reach the caller by calls.
    pub(crate) is_recursive: bool,
    /// Nothing else refers to the callee, which is local: its body moves.
    pub(crate) is_only_call: bool,
}
