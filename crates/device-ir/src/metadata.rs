//! Metadata of a module as a whole: flags, named lists, and facts from debug information.

use std::ffi::CStr;

use llvm_sys::LLVMModuleFlagBehavior;
use llvm_sys::core::{
    LLVMAddModuleFlag, LLVMGetMDNodeNumOperands, LLVMGetMDNodeOperands, LLVMGetModuleFlag,
    LLVMGetNamedMetadataNumOperands, LLVMGetNamedMetadataOperands, LLVMMDStringInContext2,
    LLVMMetadataAsValue,
};

use crate::handles::Value;
use crate::module::{Module, Shared};
use crate::text::Bytes;

unsafe extern "C" {
    /// Whether the module has the flag `name`, an integer, which is written to `value`.
    safe fn weft_module_flag(module: Shared<'_>, name: Bytes<'_>, value: &mut u64) -> bool;

    /// Whether a compile unit of the module has line numbers.
    safe fn weft_has_line_information(module: Shared<'_>) -> bool;
}

impl Module<'_> {
    /// Number that the module's flag `name` has.
    pub(crate) fn flag(&self, name: &str) -> Option<u64> {
        let mut value = 0;
        weft_module_flag(self.shared(), Bytes::of(name), &mut value).then_some(value)
    }

    pub(crate) fn has_line_information(&self) -> bool {
        weft_has_line_information(self.shared())
    }

    /// Operands of each node of a named list of metadata.
    pub(crate) fn metadata(&self, list: &CStr) -> Vec<Vec<Value<'_>>> {
        // SAFETY: the module is alive and the name terminated. There is room for all nodes of the
        // list, and for all operands of each node.
        unsafe {
            let count = LLVMGetNamedMetadataNumOperands(self.raw(), list.as_ptr());
            let mut nodes = vec![std::ptr::null_mut(); count as usize];
            LLVMGetNamedMetadataOperands(self.raw(), list.as_ptr(), nodes.as_mut_ptr());
            let operands = |node| {
                let count = LLVMGetMDNodeNumOperands(node);
                let mut operands = vec![std::ptr::null_mut(); count as usize];
                LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
                operands.retain(|operand| !operand.is_null());
                operands.into_iter().map(|operand| Value::new(operand)).collect()
            };
            nodes.into_iter().map(operands).collect()
        }
    }

    /// Writes a text into the module, as a module flag.
    pub(crate) fn record_text(&self, flag: &str, text: &str) {
        let behavior = LLVMModuleFlagBehavior::LLVMModuleFlagBehaviorError;
        // SAFETY: the text becomes metadata of the module's own context. LLVM copies both texts,
        // which have the given lengths.
        unsafe {
            let (start, length) = (text.as_ptr().cast(), text.len());
            let value = LLVMMDStringInContext2(self.context().raw(), start, length);
            LLVMAddModuleFlag(self.raw(), behavior, flag.as_ptr().cast(), flag.len(), value);
        }
    }

    /// Text that [`Module::record_text`] wrote.
    pub(crate) fn recorded_text(&self, flag: &str) -> Option<String> {
        // SAFETY: the module is alive and the name has the given length. LLVM returns metadata of
        // the module's own context.
        let value = unsafe {
            let found = LLVMGetModuleFlag(self.raw(), flag.as_ptr().cast(), flag.len());
            if found.is_null() {
                return None;
            }
            Value::new(LLVMMetadataAsValue(self.context().raw(), found))
        };
        value.metadata_text()
    }
}
