//! A handle to one global value, with the questions and changes that Weft needs.

use std::ffi::CStr;
use std::marker::PhantomData;
use std::ptr;

use llvm_sys::comdat::LLVMSetComdat;
use llvm_sys::core::{
    LLVMAliasGetAliasee, LLVMGetAlignment, LLVMGetEnumAttributeAtIndex,
    LLVMGetEnumAttributeKindForName, LLVMGetEnumAttributeValue, LLVMGetFunctionCallConv,
    LLVMGetGlobalParent, LLVMGetInitializer, LLVMGetLinkage, LLVMGetMDKindIDInContext,
    LLVMGetPointerAddressSpace, LLVMGetSection, LLVMGetStringAttributeAtIndex,
    LLVMGetStringAttributeValue, LLVMGetUnnamedAddress, LLVMGetValueName2, LLVMGetVisibility,
    LLVMGlobalGetValueType, LLVMGlobalSetMetadata, LLVMHasPersonalityFn, LLVMIsAFunction,
    LLVMIsAGlobalAlias, LLVMIsAGlobalVariable, LLVMIsDeclaration, LLVMIsExternallyInitialized,
    LLVMIsGlobalConstant, LLVMMDNodeInContext2, LLVMMDStringInContext2, LLVMSetLinkage,
    LLVMSetValueName2, LLVMSetVisibility, LLVMTypeOf,
};
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::target::{LLVMABISizeOfType, LLVMGetModuleDataLayout};
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage, LLVMUnnamedAddr, LLVMVisibility};
use weft_artifact::{Comdat, Linkage, Visibility};

use crate::context::{Context, take_shim_text};
use crate::shim::{
    weft_comdat_name, weft_content, weft_drop_definition, weft_is_dso_local, weft_localise,
};

/// Bytes of the largest constant that importers copy: string literals and coefficient tables are smaller,
/// and what is larger would add up where many modules name it.
const LARGEST_COPY: u64 = 1024;

/// `ptx_kernel` in LLVM's list of calling conventions.
const PTX_KERNEL: u32 = 71;

/// A function, variable or alias of a module.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Global<'module> {
    raw: LLVMValueRef,
    module: PhantomData<&'module ()>,
}

/// What kind of global value it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum GlobalKind {
    Function,
    Variable,
    Alias,
}

impl Global<'_> {
    /// # Safety
    ///
    /// `raw` is a global value of a module that outlives the handle.
    pub(crate) unsafe fn new(raw: LLVMValueRef) -> Self {
        Self { raw, module: PhantomData }
    }

    pub(crate) fn raw(self) -> LLVMValueRef {
        self.raw
    }

    pub(crate) fn name(self) -> String {
        let mut length = 0;
        // SAFETY: a valid value; the name's bytes are LLVM's and copied here.
        unsafe {
            let start = LLVMGetValueName2(self.raw, &raw mut length).cast::<u8>();
            String::from_utf8_lossy(std::slice::from_raw_parts(start, length)).into_owned()
        }
    }

    pub(crate) fn set_name(self, name: &str) {
        // SAFETY: a valid value and a name with its length.
        unsafe { LLVMSetValueName2(self.raw, name.as_ptr().cast(), name.len()) }
    }

    pub(crate) fn kind(self) -> GlobalKind {
        // SAFETY: a valid value; the casts only look at its kind.
        unsafe {
            if !LLVMIsAFunction(self.raw).is_null() {
                GlobalKind::Function
            } else if !LLVMIsAGlobalAlias(self.raw).is_null() {
                GlobalKind::Alias
            } else {
                debug_assert!(!LLVMIsAGlobalVariable(self.raw).is_null());
                GlobalKind::Variable
            }
        }
    }

    pub(crate) fn is_alias(self) -> bool {
        self.kind() == GlobalKind::Alias
    }

    pub(crate) fn is_declaration(self) -> bool {
        // SAFETY: a valid global value.
        unsafe { LLVMIsDeclaration(self.raw) != 0 }
    }

    pub(crate) fn linkage(self) -> Linkage {
        // SAFETY: a valid global value.
        match unsafe { LLVMGetLinkage(self.raw) } {
            LLVMLinkage::LLVMAvailableExternallyLinkage => Linkage::AvailableExternally,
            LLVMLinkage::LLVMLinkOnceAnyLinkage => Linkage::LinkonceAny,
            LLVMLinkage::LLVMLinkOnceODRLinkage | LLVMLinkage::LLVMLinkOnceODRAutoHideLinkage => {
                Linkage::LinkonceOdr
            }
            LLVMLinkage::LLVMWeakAnyLinkage => Linkage::WeakAny,
            LLVMLinkage::LLVMWeakODRLinkage => Linkage::WeakOdr,
            LLVMLinkage::LLVMAppendingLinkage => Linkage::Appending,
            LLVMLinkage::LLVMInternalLinkage => Linkage::Internal,
            LLVMLinkage::LLVMPrivateLinkage
            | LLVMLinkage::LLVMLinkerPrivateLinkage
            | LLVMLinkage::LLVMLinkerPrivateWeakLinkage => Linkage::Private,
            LLVMLinkage::LLVMExternalWeakLinkage => Linkage::ExternalWeak,
            LLVMLinkage::LLVMCommonLinkage => Linkage::Common,
            LLVMLinkage::LLVMExternalLinkage
            | LLVMLinkage::LLVMDLLImportLinkage
            | LLVMLinkage::LLVMDLLExportLinkage
            | LLVMLinkage::LLVMGhostLinkage => Linkage::External,
        }
    }

    /// Gives it another linkage, of those that a plan can ask for.
    pub(crate) fn set_linkage(self, linkage: Linkage) {
        let linkage = match linkage {
            Linkage::AvailableExternally => LLVMLinkage::LLVMAvailableExternallyLinkage,
            Linkage::WeakAny => LLVMLinkage::LLVMWeakAnyLinkage,
            Linkage::WeakOdr => LLVMLinkage::LLVMWeakODRLinkage,
            Linkage::Internal => LLVMLinkage::LLVMInternalLinkage,
            _ => LLVMLinkage::LLVMExternalLinkage,
        };
        // SAFETY: a valid global value.
        unsafe { LLVMSetLinkage(self.raw, linkage) }
    }

    pub(crate) fn visibility(self) -> Visibility {
        // SAFETY: a valid global value.
        match unsafe { LLVMGetVisibility(self.raw) } {
            LLVMVisibility::LLVMDefaultVisibility => Visibility::Default,
            LLVMVisibility::LLVMHiddenVisibility => Visibility::Hidden,
            LLVMVisibility::LLVMProtectedVisibility => Visibility::Protected,
        }
    }

    pub(crate) fn is_dso_local(self) -> bool {
        // SAFETY: a valid global value.
        unsafe { weft_is_dso_local(self.raw) }
    }

    pub(crate) fn comdat(self) -> Comdat {
        let mut length = 0;
        // SAFETY: a valid global value; the name is LLVM's and copied.
        unsafe {
            let start = weft_comdat_name(self.raw, &raw mut length).cast::<u8>();
            if start.is_null() {
                return Comdat::None;
            }
            let name = std::slice::from_raw_parts(start, length);
            let name = String::from_utf8_lossy(name).into_owned();
            if name == self.name() { Comdat::Own } else { Comdat::Named(name) }
        }
    }

    /// Whether a function has a personality function.
    pub(crate) fn has_unwind_info(self) -> bool {
        // SAFETY: asked of functions only.
        unsafe { LLVMHasPersonalityFn(self.raw) != 0 }
    }

    /// Alignment in bytes; 0 leaves it to the type.
    pub(crate) fn alignment(self) -> u32 {
        // SAFETY: asked of variables only.
        unsafe { LLVMGetAlignment(self.raw) }
    }

    /// Hides it from other images, or not. A local must not be hidden.
    pub(crate) fn set_hidden(self, hidden: bool) {
        let visibility = if hidden {
            LLVMVisibility::LLVMHiddenVisibility
        } else {
            LLVMVisibility::LLVMDefaultVisibility
        };
        // SAFETY: a valid global value.
        unsafe { LLVMSetVisibility(self.raw, visibility) }
    }

    /// Says which module a function was imported from, in LLVM's own metadata for that.
    pub(crate) fn set_source_module(self, context: &Context, module_id: &str) {
        const KIND: &str = "thinlto_src_module";
        let length = |text: &str| u32::try_from(text.len()).unwrap_or(u32::MAX);
        // SAFETY: a valid function of the context, and texts with their lengths, which LLVM copies.
        unsafe {
            let kind = LLVMGetMDKindIDInContext(context.raw(), KIND.as_ptr().cast(), length(KIND));
            let (text, length) = (module_id.as_ptr().cast(), module_id.len());
            let mut text = LLVMMDStringInContext2(context.raw(), text, length);
            let node = LLVMMDNodeInContext2(context.raw(), &raw mut text, 1);
            LLVMGlobalSetMetadata(self.raw, kind, node);
        }
    }

    /// Takes it out of its comdat, as all but definitions that stay must be. Aliases have none.
    pub(crate) fn leave_comdat(self) {
        if self.kind() != GlobalKind::Alias {
            // SAFETY: a valid function or variable.
            unsafe { LLVMSetComdat(self.raw, ptr::null_mut()) }
        }
    }

    /// Makes direct calls of the function go to an internal one, which is a copy called `copy_name`
    /// where the function's address is used, too.
    pub(crate) fn localise(self, copy_name: &str) {
        // SAFETY: a function, and a name with its length.
        unsafe { weft_localise(self.raw, copy_name.as_ptr().cast(), copy_name.len()) }
    }

    /// Makes it a declaration. The handle must not be used again: an alias is replaced.
    pub(crate) fn drop_definition(self) {
        // SAFETY: a valid global value.
        unsafe { weft_drop_definition(self.raw) }
    }

    pub(crate) fn is_kernel(self) -> bool {
        // SAFETY: asked of functions only.
        self.kind() == GlobalKind::Function
            && unsafe { LLVMGetFunctionCallConv(self.raw) } == PTX_KERNEL
    }

    /// Whether it is a function whose body another module lends for inlining.
    pub(crate) fn is_imported_function(self) -> bool {
        self.kind() == GlobalKind::Function && self.linkage() == Linkage::AvailableExternally
    }

    /// Whether a function has an attribute such as `noinline`.
    pub(crate) fn has_attribute(self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    /// The number that a function's attribute such as `memory` carries.
    pub(crate) fn attribute(self, name: &str) -> Option<u64> {
        // SAFETY: the name has its length; asked of functions only.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMGetEnumAttributeAtIndex(self.raw, LLVMAttributeFunctionIndex, kind);
            (!attribute.is_null()).then(|| LLVMGetEnumAttributeValue(attribute))
        }
    }

    /// A function's string attribute, such as `target-cpu`.
    pub(crate) fn string_attribute(self, name: &str) -> Option<String> {
        let length = u32::try_from(name.len()).ok()?;
        // SAFETY: the name has its length; asked of functions only; the value is copied.
        unsafe {
            let attribute = LLVMGetStringAttributeAtIndex(
                self.raw,
                LLVMAttributeFunctionIndex,
                name.as_ptr().cast(),
                length,
            );
            if attribute.is_null() {
                return None;
            }
            let mut length = 0;
            let start = LLVMGetStringAttributeValue(attribute, &raw mut length).cast::<u8>();
            let value = std::slice::from_raw_parts(start, length as usize);
            Some(String::from_utf8_lossy(value).into_owned())
        }
    }

    pub(crate) fn address_space(self) -> u32 {
        // SAFETY: a global value's type is a pointer.
        unsafe { LLVMGetPointerAddressSpace(LLVMTypeOf(self.raw)) }
    }

    /// The section that a definition asks for; empty if it asks for none.
    pub(crate) fn section(self) -> String {
        // SAFETY: a valid global value that is no alias; the text is terminated and copied.
        unsafe {
            let section = if self.is_alias() { ptr::null() } else { LLVMGetSection(self.raw) };
            if section.is_null() {
                return String::new();
            }
            CStr::from_ptr(section).to_string_lossy().into_owned()
        }
    }

    pub(crate) fn is_constant(self) -> bool {
        // SAFETY: asked of variables only.
        unsafe { LLVMIsGlobalConstant(self.raw) != 0 }
    }

    pub(crate) fn is_externally_initialized(self) -> bool {
        // SAFETY: asked of variables only.
        unsafe { LLVMIsExternallyInitialized(self.raw) != 0 }
    }

    /// Whether its address means nothing, so that a copy serves as well.
    pub(crate) fn has_insignificant_address(self) -> bool {
        // SAFETY: a valid global value.
        unsafe { LLVMGetUnnamedAddress(self.raw) == LLVMUnnamedAddr::LLVMGlobalUnnamedAddr }
    }

    /// A small local constant whose address means nothing, such as a string literal: whoever imports a
    /// reference to it takes a copy. A large one is not worth a copy in every module.
    pub(crate) fn is_copyable(self) -> bool {
        self.kind() == GlobalKind::Variable
            && !self.is_declaration()
            && self.linkage().is_local()
            && self.is_constant()
            && !self.is_externally_initialized()
            && self.has_insignificant_address()
            && self.allocated_bytes() <= LARGEST_COPY
    }

    /// Bytes that a variable takes.
    fn allocated_bytes(self) -> u64 {
        // SAFETY: a variable of a module, whose type has a size: LLVM refuses other types.
        unsafe {
            let layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(self.raw));
            LLVMABISizeOfType(layout, LLVMGlobalGetValueType(self.raw))
        }
    }

    /// Digest of the meaning of the definition, the same for all compilations of the same code
    /// under the same options. The body loses metadata and names of values by that, and is of no
    /// use afterwards.
    pub(crate) fn content_digest(self) -> u64 {
        // SAFETY: a definition; the text is ours to free.
        let text = unsafe { take_shim_text(weft_content(self.raw)) }.unwrap_or_default();
        let digest = weft_artifact::digest(text.as_bytes());
        digest.as_bytes().iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
    }

    /// A variable's initialiser, or an alias's target: the constant behind it.
    pub(crate) fn content(self) -> Option<LLVMValueRef> {
        // SAFETY: each question is asked of its own kind of value.
        let raw = unsafe {
            match self.kind() {
                GlobalKind::Function => ptr::null_mut(),
                GlobalKind::Variable => LLVMGetInitializer(self.raw),
                GlobalKind::Alias => LLVMAliasGetAliasee(self.raw),
            }
        };
        (!raw.is_null()).then_some(raw)
    }
}
