//! The facts of a module as a whole.

use std::collections::BTreeMap;
use std::ffi::CStr;

use llvm_sys::core::{
    LLVMCanValueUseFastMathFlags, LLVMConstIntGetZExtValue, LLVMGetFastMathFlags,
    LLVMGetInstructionOpcode, LLVMGetMDNodeNumOperands, LLVMGetMDNodeOperands, LLVMGetMDString,
    LLVMGetNamedMetadataNumOperands, LLVMGetNamedMetadataOperands, LLVMIsAConstantInt,
};
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::{LLVMFastMathAllowContract, LLVMOpcode};
use weft_artifact::{Handle, LtoFlags, OptionSetting, TrackedOption};

use crate::global::{Global, GlobalKind};
use crate::module::Module;
use crate::shim::{weft_has_line_information, weft_module_flag};
use crate::value;

pub(super) fn lto_flags(module: &Module<'_>) -> LtoFlags {
    let is_set = |name| flag(module, name).is_some_and(|value| value != 0);
    LtoFlags {
        thin: is_set("ThinLTO"),
        split_unit: is_set("EnableSplitLTOUnit"),
        unified: is_set("UnifiedLTO"),
    }
}

pub(super) fn nvvm_ir_version(module: &Module<'_>) -> Option<(u32, u32)> {
    let version = nodes(module, c"nvvmir.version").into_iter().next()?;
    let numbers: Vec<_> = version.into_iter().filter_map(number).collect();
    match numbers[..] {
        [major, minor, ..] => Some((major, minor)),
        _ => None,
    }
}

pub(super) fn has_debug_info(module: &Module<'_>) -> bool {
    // SAFETY: the module is valid, the name terminated.
    unsafe { LLVMGetNamedMetadataNumOperands(module.raw(), c"llvm.dbg.cu".as_ptr()) != 0 }
}

/// Whether a variable is a texture, surface or sampler reference by the module's annotations.
pub(super) fn handle(module: &Module<'_>, variable: Global<'_>) -> Option<Handle> {
    let annotations = nodes(module, c"nvvm.annotations");
    let own = annotations.iter().filter(|it| it.first() == Some(&variable.raw()));
    own.flat_map(|it| it.iter().skip(1)).find_map(|&key| match text(key).as_deref() {
        Some("texture") => Some(Handle::Texture),
        Some("surface") => Some(Handle::Surface),
        Some("sampler") => Some(Handle::Sampler),
        _ => None,
    })
}

/// What the module shows of the tracked options, and `given`, which wins. The IR shows `ftz` as the
/// flag that libdevice asks, line information as debug information, and `fmad` as the licence to
/// contract on its multiplications and additions; the others leave no trace in it.
pub(super) fn options(module: &Module<'_>, given: &[OptionSetting]) -> Vec<OptionSetting> {
    let mut options: BTreeMap<TrackedOption, OptionSetting> = BTreeMap::new();
    let mut show = |option, value| {
        options.insert(option, OptionSetting { option, value, given: false });
    };
    if let Some(ftz) = flag(module, "nvvm-reflect-ftz") {
        show(TrackedOption::Ftz, u32::from(ftz != 0));
    }
    if let Some(fused) = allows_contraction(module) {
        show(TrackedOption::Fmad, u32::from(fused));
    }
    // SAFETY: the module is valid.
    if unsafe { weft_has_line_information(module.raw()) } {
        show(TrackedOption::GenerateLineInfo, 1);
    }
    options.extend(given.iter().map(|it| (it.option, it.clone())));
    options.into_values().collect()
}

/// Whether multiplications and additions may be fused: `None` when there are none. Libraries that are
/// linked into a module do not carry the licence, so one instruction that has it decides.
fn allows_contraction(module: &Module<'_>) -> Option<bool> {
    let functions =
        module.globals().into_iter().filter(|global| global.kind() == GlobalKind::Function);
    let mut found = None;
    for function in functions {
        for instruction in value::blocks(function.raw()).flat_map(value::instructions) {
            // SAFETY: an instruction; the flags are asked for where there are some.
            let fused = unsafe {
                let opcode = LLVMGetInstructionOpcode(instruction);
                let can_fuse = matches!(opcode, LLVMOpcode::LLVMFMul | LLVMOpcode::LLVMFAdd);
                if !can_fuse || LLVMCanValueUseFastMathFlags(instruction) == 0 {
                    continue;
                }
                LLVMGetFastMathFlags(instruction) & LLVMFastMathAllowContract != 0
            };
            if fused {
                return Some(true);
            }
            found = Some(false);
        }
    }
    found
}

fn flag(module: &Module<'_>, name: &str) -> Option<u64> {
    let mut value = 0;
    // SAFETY: the module is valid, the name has its length.
    let found =
        unsafe { weft_module_flag(module.raw(), name.as_ptr().cast(), name.len(), &raw mut value) };
    found.then_some(value)
}

/// The operands of each node of a named list of metadata.
fn nodes(module: &Module<'_>, list: &CStr) -> Vec<Vec<LLVMValueRef>> {
    // SAFETY: the module is valid, the name terminated, and there is room for all operands.
    unsafe {
        let count = LLVMGetNamedMetadataNumOperands(module.raw(), list.as_ptr());
        let mut nodes = vec![std::ptr::null_mut(); count as usize];
        LLVMGetNamedMetadataOperands(module.raw(), list.as_ptr(), nodes.as_mut_ptr());
        nodes
            .into_iter()
            .map(|node| {
                let count = LLVMGetMDNodeNumOperands(node);
                let mut operands = vec![std::ptr::null_mut(); count as usize];
                LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
                operands.retain(|operand| !operand.is_null());
                operands
            })
            .collect()
    }
}

fn number(value: LLVMValueRef) -> Option<u32> {
    // SAFETY: a value; its number is asked for of integers only.
    unsafe {
        let is_number = !LLVMIsAConstantInt(value).is_null();
        is_number.then(|| LLVMConstIntGetZExtValue(value))?.try_into().ok()
    }
}

fn text(value: LLVMValueRef) -> Option<String> {
    let mut length = 0;
    // SAFETY: a value; the text is LLVM's and copied.
    unsafe {
        let start = LLVMGetMDString(value, &raw mut length).cast::<u8>();
        if start.is_null() {
            return None;
        }
        let text = std::slice::from_raw_parts(start, length as usize);
        Some(String::from_utf8_lossy(text).into_owned())
    }
}
