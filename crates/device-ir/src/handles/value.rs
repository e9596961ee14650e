//! Values of every kind.

use std::marker::PhantomData;

use llvm_sys::core::{
    LLVMConstIntGetZExtValue, LLVMGetMDString, LLVMGetNumOperands, LLVMGetOperand,
    LLVMGetValueName2, LLVMIsABlockAddress, LLVMIsAConstant, LLVMIsAConstantArray,
    LLVMIsAConstantExpr, LLVMIsAConstantInt, LLVMIsAConstantStruct, LLVMIsADbgInfoIntrinsic,
    LLVMIsAFunction, LLVMIsAGlobalAlias, LLVMIsAGlobalValue, LLVMIsAGlobalVariable,
    LLVMIsAInlineAsm, LLVMIsAUndefValue, LLVMIsAUser, LLVMSetValueName2, LLVMTypeOf,
};
use llvm_sys::prelude::LLVMValueRef;

use super::types::Type;
use crate::text;

/// A value of a module. Values are equal if they are the same object; their order means nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct Value<'m> {
    raw: LLVMValueRef,
    module: PhantomData<&'m ()>,
}

/// The value that a handle names, for tables that outlive the handle. Bodies may go meanwhile:
/// global values and inline assembly stay where they are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Identity {
    address: usize,
    /// Number of the context, where a table has values of several. Their addresses may be equal if
    /// one of the contexts is gone.
    context: usize,
}

impl Identity {
    /// The identity in a table that has values of several contexts.
    pub(crate) fn in_context(self, context: usize) -> Self {
        Self { context, ..self }
    }
}

/// Classes of LLVM's that a value can belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Alias,
    BlockAddress,
    Constant,
    ConstantArray,
    ConstantExpression,
    ConstantInteger,
    ConstantStruct,
    DebugIntrinsic,
    Function,
    GlobalValue,
    InlineAssembly,
    Undef,
    User,
    Variable,
}

impl<'m> Value<'m> {
    /// # Safety
    ///
    /// `raw` is a value of a module, or of its context, that stays where it is for `'m`.
    pub(crate) unsafe fn new(raw: LLVMValueRef) -> Self {
        Self { raw, module: PhantomData }
    }

    pub(crate) fn raw(self) -> LLVMValueRef {
        self.raw
    }

    pub(crate) fn identity(self) -> Identity {
        Identity { address: self.raw.addr(), context: 0 }
    }

    /// Whether LLVM's class of the value is `class` or derives from it.
    pub(crate) fn is_a(self, class: Class) -> bool {
        // SAFETY: A handle refers to a living value, and LLVM knows the class of each.
        let cast = unsafe {
            match class {
                Class::Alias => LLVMIsAGlobalAlias(self.raw),
                Class::BlockAddress => LLVMIsABlockAddress(self.raw),
                Class::Constant => LLVMIsAConstant(self.raw),
                Class::ConstantArray => LLVMIsAConstantArray(self.raw),
                Class::ConstantExpression => LLVMIsAConstantExpr(self.raw),
                Class::ConstantInteger => LLVMIsAConstantInt(self.raw),
                Class::ConstantStruct => LLVMIsAConstantStruct(self.raw),
                Class::DebugIntrinsic => LLVMIsADbgInfoIntrinsic(self.raw),
                Class::Function => LLVMIsAFunction(self.raw),
                Class::GlobalValue => LLVMIsAGlobalValue(self.raw),
                Class::InlineAssembly => LLVMIsAInlineAsm(self.raw),
                Class::Undef => LLVMIsAUndefValue(self.raw),
                Class::User => LLVMIsAUser(self.raw),
                Class::Variable => LLVMIsAGlobalVariable(self.raw),
            }
        };
        !cast.is_null()
    }

    pub(crate) fn name(self) -> String {
        let mut length = 0;
        // SAFETY: every living value has a name, which LLVM keeps until the copy is made.
        unsafe {
            let start = LLVMGetValueName2(self.raw, &raw mut length);
            text::copied(start, length).unwrap_or_default()
        }
    }

    pub(crate) fn set_name(self, name: &str) {
        // SAFETY: the value is alive, and LLVM copies the name, which has the given length.
        unsafe { LLVMSetValueName2(self.raw, name.as_ptr().cast(), name.len()) }
    }

    pub(crate) fn value_type(self) -> Type<'m> {
        // SAFETY: every living value has a type, which is of the value's context.
        unsafe { Type::new(LLVMTypeOf(self.raw)) }
    }

    /// Operands of an instruction or a constant, in order; other values have none. The last operand
    /// of a call is its callee.
    pub(crate) fn operands(self) -> impl DoubleEndedIterator<Item = Value<'m>> {
        let is_user = self.is_a(Class::User);
        // SAFETY: only users are asked for their operands, and the positions are below the count.
        let (count, operand) = unsafe {
            let count = if is_user { LLVMGetNumOperands(self.raw) } else { 0 };
            (count, move |position| Value::new(LLVMGetOperand(self.raw, position)))
        };
        (0..u32::try_from(count).unwrap_or(0)).map(operand)
    }

    /// Value of an integer constant of at most 64 bits.
    pub(crate) fn integer(self) -> Option<u64> {
        // SAFETY: the value is an integer constant.
        self.is_a(Class::ConstantInteger).then(|| unsafe { LLVMConstIntGetZExtValue(self.raw) })
    }

    /// Text of a metadata string.
    pub(crate) fn metadata_text(self) -> Option<String> {
        let mut length = 0;
        // SAFETY: LLVM returns null for a value that is not a metadata string; otherwise the text
        // lives until it has been copied.
        unsafe {
            let start = LLVMGetMDString(self.raw, &raw mut length);
            text::copied(start, length as usize)
        }
    }
}
