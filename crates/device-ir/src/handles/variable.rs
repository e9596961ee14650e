//! Variables and aliases.

use std::ops::Deref;

use llvm_sys::core::{
    LLVMAliasGetAliasee, LLVMGetAlignment, LLVMGetInitializer, LLVMGlobalGetValueType,
    LLVMIsExternallyInitialized, LLVMIsGlobalConstant, LLVMSetAlignment,
    LLVMSetExternallyInitialized, LLVMSetGlobalConstant,
};

use super::global::Global;
use super::types::Type;
use super::value::{Class, Value};

/// Bytes of the largest constant that importers copy. String literals and coefficient tables are
/// smaller; larger constants would add up where many modules name them.
const LARGEST_COPY: u64 = 1024;

/// A variable of a module, defined or declared.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Variable<'m>(Global<'m>);

impl<'m> Deref for Variable<'m> {
    type Target = Global<'m>;

    fn deref(&self) -> &Global<'m> {
        &self.0
    }
}

impl<'m> Variable<'m> {
    /// The variable that `global` is, if it is one.
    pub(crate) fn of(global: Global<'m>) -> Option<Self> {
        global.is_a(Class::Variable).then_some(Self(global))
    }

    /// Alignment in bytes; 0 leaves it to the type.
    pub(crate) fn alignment(self) -> u32 {
        // SAFETY: the handle is of a living variable.
        unsafe { LLVMGetAlignment(self.raw()) }
    }

    /// Gives the variable an alignment in bytes; LLVM knows powers of two alone.
    pub(crate) fn set_alignment(self, alignment: u32) {
        if alignment.is_power_of_two() {
            // SAFETY: the handle is of a living variable, and the alignment is a power of two.
            unsafe { LLVMSetAlignment(self.raw(), alignment) }
        }
    }

    pub(crate) fn is_constant(self) -> bool {
        self.holds_content().0
    }

    /// Says that the variable has the value of its initializer when the program starts, and, for a
    /// constant, that no code writes to it.
    pub(crate) fn hold_initializer(self, as_constant: bool) {
        // SAFETY: the handle is of a living variable.
        unsafe {
            LLVMSetExternallyInitialized(self.raw(), 0);
            if as_constant {
                LLVMSetGlobalConstant(self.raw(), 1);
            }
        }
    }

    pub(crate) fn is_externally_initialized(self) -> bool {
        self.holds_content().1
    }

    /// Whether the variable is a constant, and whether it may start with another content than that
    /// of its initializer.
    fn holds_content(self) -> (bool, bool) {
        let raw = self.raw();
        // SAFETY: the handle is of a living variable.
        unsafe { (LLVMIsGlobalConstant(raw) != 0, LLVMIsExternallyInitialized(raw) != 0) }
    }

    /// Type of the variable's content.
    pub(crate) fn content_type(self) -> Type<'m> {
        // SAFETY: every living variable has a type, which is of its context.
        unsafe { Type::new(LLVMGlobalGetValueType(self.raw())) }
    }

    /// Constant that the variable starts with; a declaration has none.
    pub(crate) fn initializer(self) -> Option<Value<'m>> {
        // SAFETY: the handle is of a living variable, and what removes its initializer takes the
        // module by `&mut`.
        unsafe {
            let raw = LLVMGetInitializer(self.raw());
            (!raw.is_null()).then(|| Value::new(raw))
        }
    }

    /// Whether it is a small local constant whose address means nothing, such as a string literal:
    /// importers of a reference to it take a copy. A large one is not worth a copy in each module.
    pub(crate) fn is_copyable(self) -> bool {
        !self.is_declaration()
            && self.linkage().is_local()
            && self.is_constant()
            && !self.is_externally_initialized()
            && self.has_insignificant_address()
            && self.layout().sizes(self.content_type()).allocated <= LARGEST_COPY
    }
}

/// An alias of a module.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Alias<'m>(Global<'m>);

impl<'m> Deref for Alias<'m> {
    type Target = Global<'m>;

    fn deref(&self) -> &Global<'m> {
        &self.0
    }
}

impl<'m> Alias<'m> {
    /// The alias that `global` is, if it is one.
    pub(crate) fn of(global: Global<'m>) -> Option<Self> {
        global.is_alias().then_some(Self(global))
    }

    /// Constant that is the aliasee.
    pub(crate) fn aliasee(self) -> Value<'m> {
        // SAFETY: the reader and the verifier refuse an alias without an aliasee.
        unsafe { Value::new(LLVMAliasGetAliasee(self.raw())) }
    }
}

/// Constant behind a variable or an alias: the initializer or the aliasee.
pub(crate) fn content(global: Global<'_>) -> Option<Value<'_>> {
    Variable::of(global)
        .and_then(Variable::initializer)
        .or_else(|| Alias::of(global).map(Alias::aliasee))
}
