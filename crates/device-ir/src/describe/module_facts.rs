//! The facts of a module as a whole.

use std::collections::BTreeMap;
use std::ffi::CStr;

use llvm_sys::core::{
    LLVMConstIntGetZExtValue, LLVMGetMDNodeNumOperands, LLVMGetMDNodeOperands, LLVMGetMDString,
    LLVMGetNamedMetadataNumOperands, LLVMGetNamedMetadataOperands, LLVMIsAConstantInt,
};
use llvm_sys::prelude::LLVMValueRef;
use weft_artifact::{Handle, LtoFlags, OptionSetting, TrackedOption};

use crate::arithmetic;
use crate::global::Global;
use crate::module::Module;
use crate::shim::{weft_has_line_information, weft_module_flag};

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
/// flag that libdevice asks, `prec-sqrt` as the square roots that libdevice chose, line information as
/// debug information, and `fmad` as the licence to contract. Libraries that are linked into a module do
/// not carry the licence, so one instruction that has it decides. The others leave no trace.
///
/// What libdevice chose stays: its intrinsics may as well be the source's own, such as `__fsqrt_rn`.
pub(super) fn options(module: &Module<'_>, given: &[OptionSetting]) -> Vec<OptionSetting> {
    let facts = arithmetic::facts(module);
    let mut options: BTreeMap<TrackedOption, OptionSetting> = BTreeMap::new();
    let mut show = |option, value, is_fixed: bool| {
        let fixed = is_fixed.then_some(value);
        options.insert(option, OptionSetting { option, value, given: false, fixed });
    };
    if let Some(ftz) = flag(module, "nvvm-reflect-ftz") {
        let is_fixed = if ftz == 0 { facts.keeps_denormals } else { facts.flushes };
        show(TrackedOption::Ftz, u32::from(ftz != 0), is_fixed);
    }
    if facts.has_approximate_roots || facts.has_rounded_roots {
        show(TrackedOption::PrecSqrt, u32::from(!facts.has_approximate_roots), true);
    }
    if facts.has_licence || facts.lacks_licence {
        show(TrackedOption::Fmad, u32::from(facts.has_licence), false);
    }
    // SAFETY: the module is valid.
    if unsafe { weft_has_line_information(module.raw()) } {
        show(TrackedOption::GenerateLineInfo, 1, false);
    }
    for it in given {
        let fixed = options.get(&it.option).and_then(|shown| shown.fixed);
        options.insert(it.option, OptionSetting { fixed, ..it.clone() });
    }
    options.into_values().collect()
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
