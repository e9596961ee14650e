//! Attributes of functions, calls and parameters.

use llvm_sys::core::{
    LLVMCreateEnumAttribute, LLVMCreateStringAttribute, LLVMGetEnumAttributeKindForName,
    LLVMGetTypeAttributeValue, LLVMGetValueContext,
};
use llvm_sys::prelude::LLVMAttributeRef;

use super::types::Type;
use super::value::Value;

/// LLVM's number of the attribute called `name`; 0 for a name that LLVM does not know.
pub(super) fn kind(name: &str) -> u32 {
    // SAFETY: the name has the given length, and LLVM only looks it up.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

/// Attribute without a value, such as `noinline`, for a value of the same context as `owner`.
pub(super) fn flag(owner: Value<'_>, name: &str) -> LLVMAttributeRef {
    // SAFETY: a living value has a context, which keeps its attributes.
    unsafe { LLVMCreateEnumAttribute(LLVMGetValueContext(owner.raw()), kind(name), 0) }
}

/// Attribute called `name` with a text, for a value of the same context as `owner`.
pub(super) fn text(owner: Value<'_>, name: &str, text: &str) -> LLVMAttributeRef {
    // Names and texts of attributes are far from 4 GiB.
    let [name_length, text_length] =
        [name, text].map(|text| u32::try_from(text.len()).unwrap_or_default());
    let (name, text) = (name.as_ptr().cast(), text.as_ptr().cast());
    // SAFETY: a living value has a context, which copies both texts. They have at least the given
    // lengths.
    unsafe {
        let context = LLVMGetValueContext(owner.raw());
        LLVMCreateStringAttribute(context, name, name_length, text, text_length)
    }
}

/// Type that is passed where `declared` is declared: the type that a `byval` pointer points to, or
/// else the declared one.
///
/// # Safety
///
/// `by_value` is null or a `byval` attribute of the context of `declared`.
pub(super) unsafe fn passed_type(by_value: LLVMAttributeRef, declared: Type<'_>) -> Type<'_> {
    if by_value.is_null() {
        return declared;
    }
    // SAFETY: every `byval` attribute carries a type, which the context keeps.
    unsafe { Type::new(LLVMGetTypeAttributeValue(by_value)) }
}

/// Name of the attribute of arguments that are copied.
pub(super) const BY_VALUE: &str = "byval";
