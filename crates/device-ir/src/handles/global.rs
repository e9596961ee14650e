//! Functions, variables and aliases, as far as they are alike.

use std::ffi::c_char;
use std::ops::Deref;
use std::ptr;

use llvm_sys::comdat::LLVMSetComdat;
use llvm_sys::core::{
    LLVMGetGlobalParent, LLVMGetIntrinsicID, LLVMGetLinkage, LLVMGetPointerAddressSpace,
    LLVMGetSection, LLVMGetUnnamedAddress, LLVMGetVisibility, LLVMIsDeclaration, LLVMSetLinkage,
    LLVMSetVisibility, LLVMTypeOf,
};
use llvm_sys::target::LLVMGetModuleDataLayout;
use llvm_sys::{LLVMLinkage, LLVMUnnamedAddr, LLVMVisibility};
use weft_artifact::{Comdat, Linkage, Visibility};

use super::types::Layout;
use super::value::{Class, Value};
use crate::text;

unsafe extern "C" {
    /// Whether a global value is known to be defined in the image that uses it.
    safe fn weft_is_dso_local(global: Global<'_>) -> bool;

    /// Name of a global value's comdat, which LLVM keeps, or null. The length is written if there
    /// is a name.
    safe fn weft_comdat_name(global: Global<'_>, length: &mut usize) -> *const c_char;
}

/// A function, variable or alias of a module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct Global<'m>(Value<'m>);

impl<'m> Deref for Global<'m> {
    type Target = Value<'m>;

    fn deref(&self) -> &Value<'m> {
        &self.0
    }
}

impl<'m> Global<'m> {
    /// The global value that `value` is, if it is one.
    pub(crate) fn of(value: Value<'m>) -> Option<Self> {
        value.is_a(Class::GlobalValue).then_some(Self(value))
    }

    pub(crate) fn is_function(self) -> bool {
        self.is_a(Class::Function)
    }

    /// Whether it is one of LLVM's own functions.
    pub(crate) fn is_intrinsic(self) -> bool {
        // SAFETY: only functions are asked for their number.
        self.is_function() && unsafe { LLVMGetIntrinsicID(self.raw()) } != 0
    }

    pub(crate) fn is_alias(self) -> bool {
        self.is_a(Class::Alias)
    }

    /// Whether it has a body or initial value, or is an alias of a definition.
    pub(crate) fn is_definition(self) -> bool {
        !self.is_declaration() || self.is_alias()
    }

    pub(crate) fn is_declaration(self) -> bool {
        // SAFETY: the handle is of a living global value.
        unsafe { LLVMIsDeclaration(self.raw()) != 0 }
    }

    pub(crate) fn linkage(self) -> Linkage {
        // SAFETY: the handle is of a living global value.
        match unsafe { LLVMGetLinkage(self.raw()) } {
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

    /// Gives the symbol another linkage, of those that a plan can ask for.
    pub(crate) fn set_linkage(self, linkage: Linkage) {
        let linkage = match linkage {
            Linkage::AvailableExternally => LLVMLinkage::LLVMAvailableExternallyLinkage,
            Linkage::WeakAny => LLVMLinkage::LLVMWeakAnyLinkage,
            Linkage::WeakOdr => LLVMLinkage::LLVMWeakODRLinkage,
            Linkage::Internal => LLVMLinkage::LLVMInternalLinkage,
            _ => LLVMLinkage::LLVMExternalLinkage,
        };
        // SAFETY: the handle is of a living global value, which keeps its address.
        unsafe { LLVMSetLinkage(self.raw(), linkage) }
    }

    pub(crate) fn visibility(self) -> Visibility {
        // SAFETY: the handle is of a living global value.
        match unsafe { LLVMGetVisibility(self.raw()) } {
            LLVMVisibility::LLVMDefaultVisibility => Visibility::Default,
            LLVMVisibility::LLVMHiddenVisibility => Visibility::Hidden,
            LLVMVisibility::LLVMProtectedVisibility => Visibility::Protected,
        }
    }

    /// Hides the symbol from other images, or not. A local symbol must not be hidden.
    pub(crate) fn set_hidden(self, hidden: bool) {
        let visibility = if hidden {
            LLVMVisibility::LLVMHiddenVisibility
        } else {
            LLVMVisibility::LLVMDefaultVisibility
        };
        // SAFETY: the handle is of a living global value, which keeps its address.
        unsafe { LLVMSetVisibility(self.raw(), visibility) }
    }

    pub(crate) fn is_dso_local(self) -> bool {
        weft_is_dso_local(self)
    }

    pub(crate) fn comdat(self) -> Comdat {
        let mut length = 0;
        let start = weft_comdat_name(self, &mut length);
        // SAFETY: LLVM keeps the name, which has the length that was written, until the copy is
        // made.
        match unsafe { text::copied(start, length) } {
            None => Comdat::None,
            Some(name) if name == self.name() => Comdat::Own,
            Some(name) => Comdat::Named(name),
        }
    }

    /// Takes the symbol out of its comdat, as all but definitions that stay must be.
    /// Aliases have none.
    pub(crate) fn leave_comdat(self) {
        if self.is_function() || self.is_a(Class::Variable) {
            // SAFETY: functions and variables are the global values that can be in a comdat.
            unsafe { LLVMSetComdat(self.raw(), ptr::null_mut()) }
        }
    }

    pub(crate) fn address_space(self) -> u32 {
        // SAFETY: the type of a global value is a pointer.
        unsafe { LLVMGetPointerAddressSpace(LLVMTypeOf(self.raw())) }
    }

    /// Section that a definition asks for; empty if it asks for none.
    pub(crate) fn section(self) -> String {
        // SAFETY: LLVM knows sections of functions and variables alone, and keeps the terminated
        // text until the copy is made.
        unsafe {
            let has_section = self.is_function() || self.is_a(Class::Variable);
            let section = if has_section { LLVMGetSection(self.raw()) } else { ptr::null() };
            text::terminated(section).unwrap_or_default()
        }
    }

    /// Whether the address is insignificant, so a copy can replace the symbol.
    pub(crate) fn has_insignificant_address(self) -> bool {
        // SAFETY: the handle is of a living global value.
        unsafe { LLVMGetUnnamedAddress(self.raw()) == LLVMUnnamedAddr::LLVMGlobalUnnamedAddr }
    }

    /// Data layout of the module.
    pub(crate) fn layout(self) -> Layout<'m> {
        // SAFETY: a living global value is in a module. Handles borrow the module, and the layout
        // is replaced only through `&mut Module`.
        unsafe { Layout::new(LLVMGetModuleDataLayout(LLVMGetGlobalParent(self.raw()))) }
    }
}
