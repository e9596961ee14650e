//! The units of a program in the order of their module ids, checked against each other.

use std::collections::BTreeMap;

use super::unit::{Device, PackedUnit};
use crate::model::error::LinkError;

/// Checks all units against each other, and sorts them by module id.
pub(crate) fn in_module_order(units: &[PackedUnit]) -> Result<Vec<&PackedUnit>, LinkError> {
    let mut units: Vec<&PackedUnit> = units.iter().collect();
    units.sort_by(|first, second| {
        let by_id = first.module_id.cmp(&second.module_id);
        by_id.then_with(|| first.path.cmp(&second.path))
    });
    for [first, second] in units.array_windows() {
        if first.module_id == second.module_id {
            return Err(LinkError::DuplicateModule {
                module_id: first.module_id.clone(),
                first: first.path.clone(),
                second: second.path.clone(),
            });
        }
    }
    check_same_target(&units)?;
    check_ir_versions(&units)?;
    check_plan_paths(&units)?;
    Ok(units)
}

fn check_same_target(units: &[&PackedUnit]) -> Result<(), LinkError> {
    let architecture: Property = ("architecture", |device| &device.architecture);
    let of_bitcode: [Property; 2] =
        [("target triple", |device| &device.triple), ("data layout", |device| &device.data_layout)];
    check_same(units, &[architecture], |_| true)?;
    check_same(units, &of_bitcode, |device| device.lto_ir.is_none())
}

/// A property of a module, with its name for messages.
type Property = (&'static str, fn(&Device) -> &str);

/// Checks that all modules for which `counts` holds agree in `properties`.
fn check_same(
    units: &[&PackedUnit],
    properties: &[Property],
    counts: impl Fn(&Device) -> bool,
) -> Result<(), LinkError> {
    let devices = units.iter().filter_map(|unit| Some((unit, unit.device.as_ref()?)));
    let mut devices = devices.filter(|(_, device)| counts(device));
    let Some((first, expected)) = devices.next() else { return Ok(()) };
    for (second, found) in devices {
        for &(what, property) in properties {
            let (expected, found) = (property(expected), property(found));
            if expected != found {
                return Err(LinkError::Mismatch {
                    what,
                    first: first.path.clone(),
                    first_value: expected.to_string(),
                    second: second.path.clone(),
                    second_value: found.to_string(),
                });
            }
        }
    }
    Ok(())
}

/// Modules of different major versions of NVVM IR come from compilers of different releases, and
/// mean different things by the same metadata. A later minor version only adds to an earlier one. A
/// module that states no version, such as clang's, is compatible with all.
fn check_ir_versions(units: &[&PackedUnit]) -> Result<(), LinkError> {
    let version = |unit: &&PackedUnit| unit.device.as_ref()?.nvvm_ir_version;
    let mut stated = units.iter().filter_map(|unit| Some((unit, version(unit)?)));
    let Some((first, expected)) = stated.next() else { return Ok(()) };
    let Some((second, found)) = stated.find(|(_, found)| found.0 != expected.0) else {
        return Ok(());
    };
    let value = |(major, minor)| format!("{major}.{minor}");
    Err(LinkError::Mismatch {
        what: "version of NVVM IR",
        first: first.path.clone(),
        first_value: value(expected),
        second: second.path.clone(),
        second_value: value(found),
    })
}

/// `a` has the plan `a.plan`, and `a.plan/b` has `a.plan/b.plan`: not both can be written.
fn check_plan_paths(units: &[&PackedUnit]) -> Result<(), LinkError> {
    let by_id: BTreeMap<&str, &PackedUnit> = units
        .iter()
        .filter(|unit| unit.device.is_some())
        .map(|unit| (unit.module_id.as_str(), *unit))
        .collect();
    for (id, inside) in &by_id {
        for (position, _) in id.match_indices(".plan/") {
            if let Some(file) = by_id.get(&id[..position]) {
                return Err(LinkError::PlanPaths {
                    file: file.module_id.clone(),
                    inside: inside.module_id.clone(),
                    first: file.path.clone(),
                    second: inside.path.clone(),
                });
            }
        }
    }
    Ok(())
}
