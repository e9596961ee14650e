//! How functions compute: what the code of a module shows of it, and how it is changed. The way in
//! which IR says each option is at the top of `shim/arithmetic.cpp`.

use llvm_sys::prelude::{LLVMModuleRef, LLVMValueRef};
use weft_artifact::Arithmetic;

use crate::global::Global;
use crate::module::Module;
use crate::shim::weft_forget_flags;

/// Facts that a module's code shows about the arithmetic that it was compiled with.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "six independent facts, as C++ has them")]
pub(crate) struct ArithmeticFacts {
    /// Whether the code holds an intrinsic that flushes denormals and has a form that does not.
    pub(crate) flushes: bool,
    /// Whether the code holds an intrinsic that keeps denormals and has a form that does not.
    pub(crate) keeps_denormals: bool,
    /// Whether the code holds the intrinsic of a rounded square root of single precision.
    pub(crate) has_rounded_roots: bool,
    /// Whether the code holds the intrinsic of an approximate square root.
    pub(crate) has_approximate_roots: bool,
    /// Whether an instruction may be fused with others.
    pub(crate) has_licence: bool,
    /// Whether a multiplication, an addition or a subtraction may not be fused.
    pub(crate) lacks_licence: bool,
}

/// One byte for each option: 0 leaves the code as it is, 1 is off, 2 is on.
#[repr(C)]
struct Choices {
    flush_denormals: u8,
    round_division: u8,
    round_roots: u8,
    fuse: u8,
}

unsafe extern "C" {
    fn weft_arithmetic_facts(module: LLVMModuleRef) -> ArithmeticFacts;

    /// Makes one function compute as told. `fuse` gives the license to libraries' instructions,
    /// too: operations whose rounding matters are intrinsics.
    fn weft_apply_arithmetic(function: LLVMValueRef, choices: *const Choices);
}

/// The facts about a module that has been read as a whole.
pub(crate) fn facts(module: &Module<'_>) -> ArithmeticFacts {
    // SAFETY: the module is valid.
    unsafe { weft_arithmetic_facts(module.raw()) }
}

/// Makes a function compute as told. Declarations have nothing to change.
pub(crate) fn apply(function: Global<'_>, arithmetic: Arithmetic) {
    if function.is_declaration() {
        return;
    }
    let choice = |value: Option<bool>| value.map_or(0, |is_on| 1 + u8::from(is_on));
    let choices = Choices {
        flush_denormals: choice(arithmetic.ftz),
        round_division: choice(arithmetic.prec_div),
        round_roots: choice(arithmetic.prec_sqrt),
        fuse: choice(arithmetic.fmad),
    };
    // SAFETY: a function with a body, and choices that outlive the call.
    unsafe { weft_apply_arithmetic(function.raw(), &raw const choices) }
}

/// Drops the module's answers to libdevice's questions. Functions are asked one by one, and answers
/// of two units that differ would keep their modules apart.
pub(crate) fn forget_reflection(module: &Module<'_>) {
    // SAFETY: the module is valid and the text terminated.
    unsafe { weft_forget_flags(module.raw(), c"nvvm-reflect-".as_ptr()) }
}
