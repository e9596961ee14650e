//! The facts of a module as a whole.

use std::collections::BTreeMap;

use weft_artifact::{Handle, OptionSetting, TrackedOption};

use crate::arithmetic::ArithmeticFacts;
use crate::handles::{Value, Variable};
use crate::module::Module;

pub(super) fn nvvm_ir_version(module: &Module<'_>) -> Option<(u32, u32)> {
    let version = module.metadata(c"nvvmir.version").into_iter().next()?;
    let numbers = version.into_iter().filter_map(Value::integer);
    let numbers: Vec<u32> = numbers.filter_map(|number| number.try_into().ok()).collect();
    match numbers[..] {
        [major, minor, ..] => Some((major, minor)),
        _ => None,
    }
}

/// Kind of a variable that is a texture, surface or sampler reference by the module's annotations.
pub(super) fn handle(module: &Module<'_>, variable: Variable<'_>) -> Option<Handle> {
    let annotations = module.metadata(c"nvvm.annotations");
    let own = annotations.iter().filter(|node| node.first() == Some(&**variable));
    let mut keys = own.flat_map(|node| node.iter().skip(1));
    keys.find_map(|key| match key.metadata_text().as_deref() {
        Some("texture") => Some(Handle::Texture),
        Some("surface") => Some(Handle::Surface),
        Some("sampler") => Some(Handle::Sampler),
        _ => None,
    })
}

/// Tracked options that the module shows, by the arithmetic `facts` of its bodies among others, and
/// `given`, which wins. The IR shows `ftz` as the flag that libdevice asks, `prec-sqrt` as the
/// square roots that libdevice chose, line information as debug information, and `fmad` as the
/// license to contract. Libraries that are linked into a module do not carry the license, so one
/// instruction that has it decides. The others leave no trace.
///
/// Intrinsics that libdevice chose stay: they may as well be the source's own, such as
/// `__fsqrt_rn`.
pub(super) fn options(
    module: &Module<'_>,
    facts: ArithmeticFacts,
    given: &[OptionSetting],
) -> Vec<OptionSetting> {
    let facts = facts.of_chosen_code();
    let mut options: BTreeMap<TrackedOption, OptionSetting> = BTreeMap::new();
    let mut show = |option, value, is_fixed: bool| {
        let fixed = is_fixed.then_some(value);
        let asked = option == TrackedOption::PrecSqrt && value == 0 && facts.is_fast;
        options.insert(option, OptionSetting { option, value, given: false, fixed, asked });
    };
    if let Some(ftz) = module.flag("nvvm-reflect-ftz") {
        let is_fixed = if ftz == 0 { facts.keeps_denormals } else { facts.flushes };
        show(TrackedOption::Ftz, u32::from(ftz != 0), is_fixed);
    }
    if facts.has_approximate_roots || facts.has_rounded_roots {
        show(TrackedOption::PrecSqrt, u32::from(!facts.has_approximate_roots), true);
    }
    if facts.has_license || facts.lacks_license {
        show(TrackedOption::Fmad, u32::from(facts.has_license), false);
    }
    if module.has_line_information() {
        show(TrackedOption::GenerateLineInfo, 1, false);
    }
    for setting in given {
        let shown = options.get(&setting.option);
        let (fixed, asked) = shown.map_or((None, false), |shown| (shown.fixed, shown.asked));
        options.insert(setting.option, OptionSetting { fixed, asked, ..setting.clone() });
    }
    options.into_values().collect()
}
