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
use llvm_sys::target::{LLVMABISizeOfType, LLVMPointerSizeForAS, LLVMTargetDataRef};
use weft_artifact::ParameterCost;

/// How deep structures inside structures are followed; what lies deeper counts nothing.
const LARGEST_DEPTH: u32 = 20;

/// Sizes under one data layout.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    layout: LLVMTargetDataRef,
    by_value: u32,
}

impl Sizes {
    /// # Safety
    ///
    /// `layout` outlives the value.
    pub(super) unsafe fn under(layout: LLVMTargetDataRef) -> Self {
        let name = "byval";
        // SAFETY: the name has its length.
        let by_value = unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) };
        Self { layout, by_value }
    }

    /// Bytes of a type, padding at its end included.
    pub(super) fn allocated(self, of: LLVMTypeRef) -> u64 {
        // SAFETY: a sized type under a valid layout.
        unsafe { LLVMABISizeOfType(self.layout, of) }
    }

    /// What one call of `callee` by `instruction` moves.
    pub(super) fn of_call(self, instruction: LLVMValueRef, callee: LLVMValueRef) -> ParameterCost {
        let arguments = self.arguments(instruction);
        let parameters = self.parameters(callee).unwrap_or_else(|| arguments.clone());
        let pairs = arguments.len().max(parameters.len());
        let differ = (0..pairs).filter(|&at| arguments.get(at) != parameters.get(at)).count();
        ParameterCost {
            argument_bytes: total(&arguments),
            parameter_bytes: total(&parameters),
            return_bytes: self.result(instruction),
            coerced_arguments: u32::try_from(differ).unwrap_or(u32::MAX),
        }
    }

    fn arguments(self, call: LLVMValueRef) -> Vec<u64> {
        // SAFETY: a call; positions below the number of its arguments.
        unsafe {
            (0..LLVMGetNumArgOperands(call))
                .map(|at| {
                    let attribute = LLVMGetCallSiteEnumAttribute(call, at + 1, self.by_value);
                    self.passed(attribute, LLVMTypeOf(LLVMGetOperand(call, at)))
                })
                .collect()
        }
    }

    /// Sizes of a function's parameters; none are known of an alias.
    fn parameters(self, callee: LLVMValueRef) -> Option<Vec<u64>> {
        // SAFETY: a global value; the rest is asked of functions, with room for all types.
        unsafe {
            if LLVMIsAFunction(callee).is_null() {
                return None;
            }
            let function = LLVMGlobalGetValueType(callee);
            let count = LLVMCountParamTypes(function);
            let mut types = vec![std::ptr::null_mut(); count as usize];
            LLVMGetParamTypes(function, types.as_mut_ptr());
            let sizes = (1..).zip(types).map(|(at, parameter)| {
                let attribute = LLVMGetEnumAttributeAtIndex(callee, at, self.by_value);
                self.passed(attribute, parameter)
            });
            Some(sizes.collect())
        }
    }

    fn result(self, call: LLVMValueRef) -> u32 {
        // SAFETY: a call.
        let result = unsafe { LLVMGetReturnType(LLVMGetCalledFunctionType(call)) };
        u32::try_from(self.bytes(result, 0)).unwrap_or(u32::MAX)
    }

    fn passed(self, by_value: LLVMAttributeRef, declared: LLVMTypeRef) -> u64 {
        if by_value.is_null() {
            return self.bytes(declared, 0);
        }
        // SAFETY: a `byval` attribute carries a type.
        self.bytes(unsafe { LLVMGetTypeAttributeValue(by_value) }, 0)
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

fn total(sizes: &[u64]) -> u32 {
    let sum = sizes.iter().fold(0_u64, |sum, &size| sum.saturating_add(size));
    u32::try_from(sum).unwrap_or(u32::MAX)
}
