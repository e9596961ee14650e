//! Arithmetic of functions: the facts that the code of a module shows, and how it is changed. The
//! way in which IR says each option is at the top of `shim/arithmetic.cpp`.

use llvm_sys::prelude::LLVMValueRef;
use weft_artifact::Arithmetic;

use crate::handles::Function;
use crate::layout::layout;
use crate::module::{Module, Shared};

/// Facts that a module's code shows about the arithmetic that it was compiled with.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "eight independent facts, as C++ has them")]
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
    pub(crate) has_license: bool,
    /// Whether a multiplication, an addition or a subtraction may not be fused.
    pub(crate) lacks_license: bool,
    /// Whether libdevice still asks how to compute. It holds the instructions for every answer
    /// then, so the first four facts say nothing.
    pub(crate) asks_libdevice: bool,
    /// Whether operations may be approximate by an option of the compiler, such as `-ffast-math`.
    pub(crate) is_fast: bool,
}

impl ArithmeticFacts {
    /// The facts without those that say nothing, because libdevice has not chosen yet between the
    /// instructions for its answers.
    pub(crate) fn of_chosen_code(self) -> Self {
        if !self.asks_libdevice {
            return self;
        }
        Self {
            flushes: false,
            keeps_denormals: false,
            has_rounded_roots: false,
            has_approximate_roots: false,
            ..self
        }
    }

    /// Facts of code that consists of two parts.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            flushes: self.flushes || other.flushes,
            keeps_denormals: self.keeps_denormals || other.keeps_denormals,
            has_rounded_roots: self.has_rounded_roots || other.has_rounded_roots,
            has_approximate_roots: self.has_approximate_roots || other.has_approximate_roots,
            has_license: self.has_license || other.has_license,
            lacks_license: self.lacks_license || other.lacks_license,
            asks_libdevice: self.asks_libdevice || other.asks_libdevice,
            is_fast: self.is_fast || other.is_fast,
        }
    }
}

layout! {
    ArithmeticFacts: flushes, keeps_denormals, has_rounded_roots, has_approximate_roots,
        has_license, lacks_license, asks_libdevice, is_fast;
    constexpr size_t ArithmeticFactsLayout[] = {8, 0, 1, 2, 3, 4, 5, 6, 7};
}

/// One byte for each option: 0 leaves the code as it is, 1 is off, 2 is on.
#[repr(C)]
struct Choices {
    flush_denormals: u8,
    round_division: u8,
    round_roots: u8,
    fuse: u8,
}

layout! {
    Choices: flush_denormals, round_division, round_roots, fuse;
    constexpr size_t ChoicesLayout[] = {4, 0, 1, 2, 3};
}

unsafe extern "C" {
    /// Facts about the bodies of a module that have been read and not been emptied.
    safe fn weft_arithmetic_facts(module: Shared<'_>) -> ArithmeticFacts;

    /// Makes one function compute as told. `fuse` gives the license to libraries' instructions,
    /// too: operations whose rounding matters are intrinsics. Instructions are replaced.
    fn weft_apply_arithmetic(function: LLVMValueRef, choices: &Choices);
}

/// Facts that those bodies of a module show that have been read and not been emptied.
pub(crate) fn facts(module: &Module<'_>) -> ArithmeticFacts {
    weft_arithmetic_facts(module.shared())
}

/// Makes the chosen functions compute as told. Declarations have nothing to change.
pub(crate) fn apply(
    module: &mut Module<'_>,
    choose: impl for<'m> FnOnce(&'m Module<'_>) -> Vec<Function<'m>>,
    arithmetic: Arithmetic,
) {
    let choice = |value: Option<bool>| value.map_or(0, |is_on| 1 + u8::from(is_on));
    let choices = Choices {
        flush_denormals: choice(arithmetic.ftz),
        round_division: choice(arithmetic.prec_div),
        round_roots: choice(arithmetic.prec_sqrt),
        fuse: choice(arithmetic.fmad),
    };
    for function in choose(module).into_iter().filter(|function| !function.is_declaration()) {
        // SAFETY: the value is a function of the module, as the choice can return no other. Only
        // instructions are removed, and `&mut` says that no handle to one is left.
        unsafe { weft_apply_arithmetic(function.raw(), &choices) }
    }
}

/// Drops the module's answers to libdevice's questions. Functions are asked one by one, and answers
/// of two units that differ would keep their modules apart.
pub(crate) fn forget_reflection(module: &mut Module<'_>) {
    module.forget_flags("nvvm-reflect-");
}
