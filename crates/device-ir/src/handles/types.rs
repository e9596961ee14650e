//! Types, and their sizes under a module's data layout.

use std::marker::PhantomData;

use llvm_sys::LLVMTypeKind;
use llvm_sys::core::{
    LLVMCountStructElementTypes, LLVMGetArrayLength2, LLVMGetElementType, LLVMGetIntTypeWidth,
    LLVMGetPointerAddressSpace, LLVMGetStructElementTypes, LLVMGetTypeKind, LLVMGetVectorSize,
    LLVMTypeIsSized,
};
use llvm_sys::prelude::LLVMTypeRef;
use llvm_sys::target::{
    LLVMABISizeOfType, LLVMOffsetOfElement, LLVMPointerSizeForAS, LLVMPreferredAlignmentOfType,
    LLVMTargetDataRef,
};

/// A type of a module's context.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Type<'m> {
    raw: LLVMTypeRef,
    module: PhantomData<&'m ()>,
}

/// Kind of a type, with its parts.
pub(crate) enum TypeKind<'m> {
    /// An array with the type and the number of its elements.
    Array(Type<'m>, u64),
    /// A vector with the type and the number of its elements.
    Vector(Type<'m>, u32),
    /// A structure with the types of its elements.
    Struct(Vec<Type<'m>>),
    /// A pointer into an address space.
    Pointer(u32),
    /// An integer or a floating-point number of so many bits.
    Number(u32),
    /// A floating-point number of 16 bits.
    Half,
    /// Any other type.
    Other,
}

impl<'m> Type<'m> {
    /// # Safety
    ///
    /// `raw` is a type of a context that lives for `'m`.
    pub(super) unsafe fn new(raw: LLVMTypeRef) -> Self {
        Self { raw, module: PhantomData }
    }

    pub(crate) fn kind(self) -> TypeKind<'m> {
        // SAFETY: a context keeps its types. Each question is asked of the kind of type that has an
        // answer, and there is room for as many elements as the structure has.
        unsafe {
            match LLVMGetTypeKind(self.raw) {
                LLVMTypeKind::LLVMArrayTypeKind => TypeKind::Array(
                    Self::new(LLVMGetElementType(self.raw)),
                    LLVMGetArrayLength2(self.raw),
                ),
                LLVMTypeKind::LLVMVectorTypeKind => TypeKind::Vector(
                    Self::new(LLVMGetElementType(self.raw)),
                    LLVMGetVectorSize(self.raw),
                ),
                LLVMTypeKind::LLVMStructTypeKind => {
                    let count = LLVMCountStructElementTypes(self.raw) as usize;
                    let mut elements = vec![std::ptr::null_mut(); count];
                    LLVMGetStructElementTypes(self.raw, elements.as_mut_ptr());
                    TypeKind::Struct(elements.into_iter().map(|raw| Self::new(raw)).collect())
                }
                LLVMTypeKind::LLVMPointerTypeKind => {
                    TypeKind::Pointer(LLVMGetPointerAddressSpace(self.raw))
                }
                LLVMTypeKind::LLVMIntegerTypeKind => {
                    TypeKind::Number(LLVMGetIntTypeWidth(self.raw))
                }
                LLVMTypeKind::LLVMHalfTypeKind | LLVMTypeKind::LLVMBFloatTypeKind => TypeKind::Half,
                LLVMTypeKind::LLVMFloatTypeKind => TypeKind::Number(32),
                LLVMTypeKind::LLVMDoubleTypeKind => TypeKind::Number(64),
                LLVMTypeKind::LLVMX86_FP80TypeKind => TypeKind::Number(80),
                LLVMTypeKind::LLVMFP128TypeKind | LLVMTypeKind::LLVMPPC_FP128TypeKind => {
                    TypeKind::Number(128)
                }
                _ => TypeKind::Other,
            }
        }
    }
}

/// Data layout of a module.
#[derive(Clone, Copy)]
pub(crate) struct Layout<'m> {
    raw: LLVMTargetDataRef,
    module: PhantomData<&'m ()>,
}

/// Sizes of one type, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct TypeSizes {
    /// Bytes that a variable takes, with the padding at its end.
    pub(crate) allocated: u64,
    /// Alignment that LLVM's code generator gives to a variable that states none.
    pub(crate) preferred_alignment: u32,
}

impl Layout<'_> {
    /// # Safety
    ///
    /// `raw` is the layout of a module that is alive and keeps it for `'m`.
    pub(crate) unsafe fn new(raw: LLVMTargetDataRef) -> Self {
        Self { raw, module: PhantomData }
    }

    /// Sizes of a type; zeros for a type that no value in memory can have, such as a function's.
    pub(crate) fn sizes(self, of: Type<'_>) -> TypeSizes {
        // SAFETY: `self` is the layout of a living module, and LLVM is asked for sizes of types
        // that have one.
        unsafe {
            if LLVMTypeIsSized(of.raw) == 0 {
                return TypeSizes { allocated: 0, preferred_alignment: 0 };
            }
            TypeSizes {
                allocated: LLVMABISizeOfType(self.raw, of.raw),
                preferred_alignment: LLVMPreferredAlignmentOfType(self.raw, of.raw),
            }
        }
    }

    /// Offset in bytes of an element of the structure `of`; `None` where it has no such element.
    pub(crate) fn offset_of_element(self, of: Type<'_>, position: u32) -> Option<u64> {
        // SAFETY: `self` is the layout of a living module, and LLVM is asked about structures that
        // have a size and an element at the position.
        unsafe {
            let has_element = LLVMGetTypeKind(of.raw) == LLVMTypeKind::LLVMStructTypeKind
                && LLVMTypeIsSized(of.raw) != 0
                && position < LLVMCountStructElementTypes(of.raw);
            has_element.then(|| LLVMOffsetOfElement(self.raw, of.raw, position))
        }
    }

    /// Bytes of a pointer into an address space.
    pub(crate) fn pointer_bytes(self, space: u32) -> u32 {
        // SAFETY: `self` is the layout of a living module, and a layout answers for every space.
        unsafe { LLVMPointerSizeForAS(self.raw, space) }
    }
}
