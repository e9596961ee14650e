//! How the functions of each module compute: nvcc's `ftz`, `prec-div`, `prec-sqrt` and `fmad`.
//!
//! NVIDIA's linker compiles all modules as one and so refuses modules that differ. Here each
//! function keeps the arithmetic of its unit, wherever it is imported: a unit that flushes
//! denormals and one that does not compute together what they compute when they are linked without
//! optimization.
//!
//! The first of these that states an option decides: the command line, for all modules; the build,
//! for a unit; the unit's code. A choice that the compiler has made already cannot be changed, and
//! asking for another is an error. That concerns `ftz` and `prec-sqrt`, by which libdevice chooses
//! its instructions when the compiler links it.
//!
//! Permission to fuse is a flag of single instructions. libdevice's instructions lack it, although
//! nvcc fuses them like others, so all instructions of a unit get it if some of the unit's own have
//! it.
//!
//! Cost: four steps per module.

use std::path::Path;

use weft_artifact::{Arithmetic, OptionSetting, TrackedOption};

use crate::model::error::LinkError;
use crate::model::program::{Device, PackedUnit};

/// The result for one option of arithmetic.
pub(super) struct Reconciled {
    /// Line for `--verbose`.
    pub(super) log: Option<String>,
    /// Value that holds in all modules, if there is one.
    pub(super) setting: Option<u32>,
}

/// Reconciles one of [`weft_artifact::Arithmetic::OPTIONS`] over all modules, with the value that
/// the command line gives, and sets it in the `arithmetic` of each module.
pub(super) fn reconcile(
    modules: &[(&PackedUnit, &Device)],
    option: TrackedOption,
    name: &str,
    given: Option<u32>,
    arithmetic: &mut [Arithmetic],
) -> Result<Reconciled, LinkError> {
    // The final values of the option, with the summaries of the modules that have one.
    let mut values: Vec<(u32, &Path)> = Vec::new();
    // Whether all values are final, and another function in a unit would not change them.
    let mut are_stated = true;
    for ((unit, device), arithmetic) in modules.iter().zip(arithmetic) {
        let setting = device.options.iter().find(|setting| setting.option == option);
        let stated = setting.filter(|setting| setting.given).map(|setting| setting.value);
        let wanted = given.or(stated).map(|value| u32::from(value != 0));
        if let (Some(wanted), Some(fixed)) = (wanted, setting.and_then(|setting| setting.fixed))
            && wanted != fixed
        {
            return Err(LinkError::FixedOption {
                option: name.to_owned(),
                path: unit.path.clone(),
                fixed,
                wanted,
                advice: advice(option, wanted),
            });
        }
        let has_license =
            option == TrackedOption::Fmad && setting.is_some_and(|setting| setting.value != 0);
        if let Some(wanted) = wanted.or_else(|| has_license.then_some(1)) {
            arithmetic.set(option, wanted != 0);
        }
        are_stated &= wanted.is_some() || option == TrackedOption::Ftz;
        let value = wanted.or_else(|| value_in_code(option, setting));
        values.extend(value.map(|value| (value, unit.path.as_path())));
    }
    let differing = values.iter().find(|(value, _)| *value != values[0].0);
    let log = match (values.first(), differing, given) {
        (_, _, Some(value)) => Some(format!("option {name}: {value}, by the command line")),
        (Some((first, path)), Some((value, other)), None) => Some(format!(
            "option {name}: each module keeps its own: {} has {name}={first}, \
             {} has {name}={value}",
            path.display(),
            other.display()
        )),
        (Some((first, _)), None, None) if values.len() == modules.len() => {
            Some(format!("option {name}: {first}, in all modules"))
        }
        (Some((first, path)), None, None) => {
            Some(format!("option {name}: {first}, in {} and others", path.display()))
        }
        (None, ..) => None,
    };
    let is_common = differing.is_none() && values.len() == modules.len() && are_stated;
    let common = values.first().map(|(value, _)| *value).filter(|_| is_common);
    Ok(Reconciled { log, setting: given.or(common) })
}

/// Returns a warning about units whose square roots are approximate although nobody asked for that:
/// neither the command line, which gives `given`, nor the build for a unit, nor the unit's code by
/// other operations that may be approximate. nvcc rounds them, and clang has to be told to.
pub(super) fn unasked_roots(
    modules: &[(&PackedUnit, &Device)],
    given: Option<u32>,
) -> Option<String> {
    let is_unasked = |device: &Device| {
        let mut options = device.options.iter();
        options.any(|setting| {
            setting.option == TrackedOption::PrecSqrt
                && setting.fixed == Some(0)
                && !(setting.given || setting.asked)
        })
    };
    let mut units = modules.iter().filter(|(unit, device)| !unit.is_library && is_unasked(device));
    let (first, _) = units.next().filter(|_| given.is_none())?;
    let others = match units.count() {
        0 => String::new(),
        1 => " and 1 other unit".to_owned(),
        count => format!(" and {count} other units"),
    };
    Some(format!(
        "square roots of {}{others} are approximate, although nothing asked for fast arithmetic; \
         for rounded ones, as nvcc's, compile {}, clang 21 or later; \
         if they are meant, give summarize --option prec-sqrt=0",
        first.path.display(),
        advice(TrackedOption::PrecSqrt, 1)
    ))
}

/// Returns the value of the option that a unit's code has. For `fmad` the code shows a license on
/// single instructions, which says nothing of a unit without one.
fn value_in_code(option: TrackedOption, setting: Option<&OptionSetting>) -> Option<u32> {
    setting.filter(|_| option != TrackedOption::Fmad).map(|setting| setting.value)
}

/// How to compile a unit so that its code has the value.
fn advice(option: TrackedOption, wanted: u32) -> String {
    match (option, wanted) {
        (TrackedOption::Ftz, 0) => "without -fgpu-flush-denormals-to-zero".to_owned(),
        (TrackedOption::Ftz, _) => "with -fgpu-flush-denormals-to-zero".to_owned(),
        _ => format!("with -Xarch_device -mllvm=-nvvm-reflect-add=__CUDA_PREC_SQRT={wanted}"),
    }
}
