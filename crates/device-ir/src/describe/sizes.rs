//! What types take in `.param` space.
//!
//! The rule is NVIDIA's inliner's: a scalar takes its bits in whole bytes, an array or vector its
//! element's bits times the count, a structure its layout. It asks types, not values, so an aggregate
//! passed by value counts whole, and one passed `byval` counts as what it points to.

use llvm_sys::LLVMTypeKind;
use llvm_sys::core::{
    LLVMCountParamTypes, LLVMCountStructElementTypes, LLVMGetArrayLength2,
    LLVMGetCallSiteEnumAttribute, LLVMGetCalledFunctionType, LLVMGetElementType,
    LLVMGetEnumAttributeAtIndex, LLVMGetEnumAttributeKindForName, LLVMGetIntTypeWidth,
    LLVMGetNumArgOperands, LLVMGetOperand, LLVMGetParamTypes, LLVMGetPointerAddressSpace,
    LLVMGetReturnType, LLVMGetTypeAttributeValue, LLVMGetTypeKind, LLVMGetVectorSize,
    LLVMGlobalGetValueType, LLVMIsAFunction, LLVMStructGetTypeAtIndex, LLVMTypeOf,
};
use llvm_sys::prelude::{LLVMAttributeRef, LLVMTypeRef, LLVMValueRef};
use llvm_sys::target::{
    LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMPointerSizeForAS, LLVMTargetDataRef,
};
use weft_artifact::ParameterCost;

use crate::module::Module;

/// How deep structures inside structures are followed; what lies deeper counts nothing.
const LARGEST_DEPTH: u32 = 20;

/// Sizes under one data layout.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    layout: LLVMTargetDataRef,
    by_value: u32,
}

impl Sizes {
    /// Under the layout of a module, which outlives the value.
    pub(crate) fn of(module: &Module<'_>) -> Self {
        let name = "byval";
        // SAFETY: the module is valid, the name has its length.
        unsafe {
            let by_value = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            Self { layout: LLVMGetModuleDataLayout(module.raw()), by_value }
        }
    }

    /// Bytes of a type, padding at its end included.
    pub(super) fn allocated(self, of: LLVMTypeRef) -> u64 {
        // SAFETY: a sized type under a valid layout.
        unsafe { LLVMABISizeOfType(self.layout, of) }
    }

    /// What one call of `callee` by `instruction` moves.
    pub(crate) fn of_call(self, instruction: LLVMValueRef, callee: LLVMValueRef) -> ParameterCost {
        let arguments = self.arguments(instruction);
        let parameters = self.parameters(callee).unwrap_or_else(|| arguments.clone());
        let arguments = self.sizes(&arguments);
        let parameters = self.sizes(&parameters);
        let pairs = arguments.len().max(parameters.len());
        let differ = (0..pairs).filter(|&at| arguments.get(at) != parameters.get(at)).count();
        ParameterCost {
            argument_bytes: total(&arguments),
            parameter_bytes: total(&parameters),
            return_bytes: self.result(instruction),
            coerced_arguments: u32::try_from(differ).unwrap_or(u32::MAX),
        }
    }

    /// Fields that one call of `callee` by `instruction` copies one by one: those of the arguments whose
    /// size is not that of their parameter.
    pub(crate) fn coerced_fields(self, instruction: LLVMValueRef, callee: LLVMValueRef) -> u32 {
        let arguments = self.arguments(instruction);
        let parameters = self.parameters(callee).unwrap_or_else(|| arguments.clone());
        let size = |it: Option<&LLVMTypeRef>| it.map(|&it| self.bytes(it, 0));
        let coerced = arguments
            .iter()
            .enumerate()
            .filter(|&(at, &argument)| size(Some(&argument)) != size(parameters.get(at)));
        coerced.map(|(_, &argument)| fields(argument, 0)).fold(0, u32::saturating_add)
    }

    /// The types that a call passes.
    fn arguments(self, call: LLVMValueRef) -> Vec<LLVMTypeRef> {
        // SAFETY: a call; positions below the number of its arguments.
        unsafe {
            (0..LLVMGetNumArgOperands(call))
                .map(|at| {
                    let attribute = LLVMGetCallSiteEnumAttribute(call, at + 1, self.by_value);
                    passed(attribute, LLVMTypeOf(LLVMGetOperand(call, at)))
                })
                .collect()
        }
    }

    /// The types of a function's parameters; none are known of an alias.
    fn parameters(self, callee: LLVMValueRef) -> Option<Vec<LLVMTypeRef>> {
        // SAFETY: a global value; the rest is asked of functions, with room for all types.
        unsafe {
            if LLVMIsAFunction(callee).is_null() {
                return None;
            }
            let function = LLVMGlobalGetValueType(callee);
            let count = LLVMCountParamTypes(function);
            let mut types = vec![std::ptr::null_mut(); count as usize];
            LLVMGetParamTypes(function, types.as_mut_ptr());
            let types = (1..).zip(types).map(|(at, parameter)| {
                passed(LLVMGetEnumAttributeAtIndex(callee, at, self.by_value), parameter)
            });
            Some(types.collect())
        }
    }

    fn sizes(self, types: &[LLVMTypeRef]) -> Vec<u64> {
        types.iter().map(|&it| self.bytes(it, 0)).collect()
    }

    fn result(self, call: LLVMValueRef) -> u32 {
        // SAFETY: a call.
        let result = unsafe { LLVMGetReturnType(LLVMGetCalledFunctionType(call)) };
        u32::try_from(self.bytes(result, 0)).unwrap_or(u32::MAX)
    }

    /// The rule above.
    fn bytes(self, of: LLVMTypeRef, depth: u32) -> u64 {
        if depth > LARGEST_DEPTH {
            return 0;
        }
        // SAFETY: a type; each question is asked of its own kind of type.
        unsafe {
            match LLVMGetTypeKind(of) {
                LLVMTypeKind::LLVMArrayTypeKind => {
                    let element = self.bytes(LLVMGetElementType(of), depth + 1);
                    element.saturating_mul(LLVMGetArrayLength2(of))
                }
                LLVMTypeKind::LLVMVectorTypeKind => {
                    let bits = self.bits(LLVMGetElementType(of));
                    (u64::from(LLVMGetVectorSize(of)) * bits).div_ceil(8)
                }
                LLVMTypeKind::LLVMStructTypeKind => {
                    let elements = (0..LLVMCountStructElementTypes(of))
                        .map(|at| self.bytes(LLVMStructGetTypeAtIndex(of, at), depth + 1));
                    // The layout, and less of it where its parts are too deep to be counted.
                    if elements.sum::<u64>() == 0 { 0 } else { self.allocated(of) }
                }
                _ => self.bits(of).div_ceil(8),
            }
        }
    }

    /// Bits of a scalar.
    fn bits(self, of: LLVMTypeRef) -> u64 {
        // SAFETY: a type; each question is asked of its own kind of type.
        unsafe {
            match LLVMGetTypeKind(of) {
                LLVMTypeKind::LLVMHalfTypeKind | LLVMTypeKind::LLVMBFloatTypeKind => 16,
                LLVMTypeKind::LLVMFloatTypeKind => 32,
                LLVMTypeKind::LLVMDoubleTypeKind => 64,
                LLVMTypeKind::LLVMX86_FP80TypeKind => 80,
                LLVMTypeKind::LLVMFP128TypeKind | LLVMTypeKind::LLVMPPC_FP128TypeKind => 128,
                LLVMTypeKind::LLVMPointerTypeKind => {
                    let space = LLVMGetPointerAddressSpace(of);
                    8 * u64::from(LLVMPointerSizeForAS(self.layout, space))
                }
                LLVMTypeKind::LLVMIntegerTypeKind => u64::from(LLVMGetIntTypeWidth(of)),
                _ => 0,
            }
        }
    }
}

/// What is passed where a type is declared: what a `byval` pointer points to, else the type.
fn passed(by_value: LLVMAttributeRef, declared: LLVMTypeRef) -> LLVMTypeRef {
    if by_value.is_null() {
        return declared;
    }
    // SAFETY: a `byval` attribute carries a type.
    unsafe { LLVMGetTypeAttributeValue(by_value) }
}

/// Scalars and vectors in a type, of structures and arrays down to the depth that is followed.
fn fields(of: LLVMTypeRef, depth: u32) -> u32 {
    if depth > LARGEST_DEPTH {
        return 0;
    }
    // SAFETY: a type; each question is asked of its own kind of type.
    unsafe {
        match LLVMGetTypeKind(of) {
            LLVMTypeKind::LLVMArrayTypeKind => {
                let count = u32::try_from(LLVMGetArrayLength2(of)).unwrap_or(u32::MAX);
                fields(LLVMGetElementType(of), depth + 1).saturating_mul(count)
            }
            LLVMTypeKind::LLVMStructTypeKind => (0..LLVMCountStructElementTypes(of))
                .map(|at| fields(LLVMStructGetTypeAtIndex(of, at), depth + 1))
                .fold(0, u32::saturating_add),
            _ => 1,
        }
    }
}

fn total(sizes: &[u64]) -> u32 {
    let sum = sizes.iter().fold(0_u64, |sum, &size| sum.saturating_add(size));
    u32::try_from(sum).unwrap_or(u32::MAX)
}
