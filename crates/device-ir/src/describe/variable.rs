//! The facts of one variable.

use llvm_sys::core::{
    LLVMGlobalGetValueType, LLVMIsAConstantArray, LLVMIsAConstantExpr, LLVMIsAConstantStruct,
    LLVMIsAFunction, LLVMIsAGlobalAlias, LLVMIsUndef, LLVMTypeOf,
};
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::target::{LLVMGetModuleDataLayout, LLVMOffsetOfElement};
use weft_artifact::{TypeMember, VariableSummary, VirtualFunction};

use super::{Walk, module_facts};
use crate::analyses::type_ids;
use crate::global::Global;
use crate::value;

impl<'module> Walk<'module> {
    pub(super) fn variable(&self, global: Global<'module>) -> VariableSummary {
        let content = global.content();
        // SAFETY: a variable's type, and a constant.
        let (size, initialized) = unsafe {
            let size = self.sizes.allocated(LLVMGlobalGetValueType(global.raw()));
            (size, content.is_some_and(|it| LLVMIsUndef(it) == 0))
        };
        let constant = global.is_constant();
        let mut virtual_functions = Vec::new();
        if let Some(content) = content.filter(|_| constant) {
            self.find_functions(content, 0, &mut virtual_functions);
        }
        VariableSummary {
            size,
            alignment: global.alignment(),
            constant,
            initialized,
            externally_initialized: global.is_externally_initialized(),
            copyable: global.is_copyable(),
            handle: module_facts::handle(self.module, global),
            references: self.names.named_by(content),
            virtual_functions,
            type_ids: type_ids(global)
                .into_iter()
                .map(|(type_id, offset)| TypeMember { type_id, offset })
                .collect(),
        }
    }

    /// Functions in a constant, with their offsets.
    fn find_functions(&self, constant: LLVMValueRef, start: u64, found: &mut Vec<VirtualFunction>) {
        // SAFETY: a constant; each question is asked of its own kind.
        unsafe {
            if !LLVMIsAFunction(constant).is_null() || !LLVMIsAGlobalAlias(constant).is_null() {
                let function = self.names.index(constant);
                found.extend(function.map(|function| VirtualFunction { offset: start, function }));
            } else if !LLVMIsAConstantExpr(constant).is_null() {
                // Casts between address spaces; the function is what is cast.
                value::operands(constant)
                    .take(1)
                    .for_each(|it| self.find_functions(it, start, found));
            } else if !LLVMIsAConstantArray(constant).is_null() {
                for (position, element) in (0..).zip(value::operands(constant)) {
                    let size = self.sizes.allocated(LLVMTypeOf(element));
                    self.find_functions(element, start + position * size, found);
                }
            } else if !LLVMIsAConstantStruct(constant).is_null() {
                let layout = LLVMGetModuleDataLayout(self.module.raw());
                for (position, element) in (0..).zip(value::operands(constant)) {
                    let offset = LLVMOffsetOfElement(layout, LLVMTypeOf(constant), position);
                    self.find_functions(element, start + offset, found);
                }
            }
        }
    }
}
