//! The example as inputs of a link.

use super::inputs::{LinkInput, LinkInputKind, LinkInputs};
use super::plain::entries;
use super::runner::{Failure, check};
use crate::Workbench;
use crate::reference::transport_objects;

/// Kernels that the example's host code launches, by parts of their mangled names.
const LAUNCHED: [&[&str]; 10] = [
    &["advance_particles"],
    &["apply_filters"],
    &["collide_particles"],
    &["emit_particles"],
    &["fold_response", "FastResponse"],
    &["fold_response", "ThermalResponse"],
    &["reduce_spectrum"],
    &["roulette_particles"],
    &["scale_dose"],
    &["tally_flux"],
];
/// Kernels that no host code launches.
const DEAD: [&[&str]; 2] = [&["debug_dump_particles"], &["legacy_tally"]];
/// Variables that the example's host code copies to or from.
const TOUCHED: [&[&str]; 4] =
    [&["survivors"], &["direction_table"], &["birth_spectrum"], &["event_counts"]];

/// Compares both links of the example.
pub fn check_transport() -> Result<(), Box<Failure>> {
    check("examples/transport", inputs)
}

fn inputs(bench: &Workbench) -> Result<LinkInputs, String> {
    let mut files = Vec::new();
    let mut registered = Vec::new();
    for unit in transport_objects(bench.path())? {
        let path = format!("{unit}.o");
        registered.extend(entries(bench, &path)?);
        files.push(LinkInput { path, kind: LinkInputKind::Object, module_id: unit });
    }
    let symbols = |wanted: &[&[&str]]| -> Result<Vec<String>, String> {
        wanted.iter().map(|parts| symbol(&registered, parts)).collect()
    };
    Ok(LinkInputs {
        files,
        launched: symbols(&LAUNCHED)?,
        touched: symbols(&TOUCHED)?,
        removed: symbols(&DEAD)?,
        ..LinkInputs::default()
    })
}

/// Returns the only registered symbol whose name has all of these parts.
fn symbol(registered: &[String], parts: &[&str]) -> Result<String, String> {
    let found = registered.iter().filter(|symbol| parts.iter().all(|part| symbol.contains(part)));
    match found.collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>()[..] {
        [symbol] => Ok(symbol.clone()),
        ref several => Err(format!("the example registers {several:?} for {parts:?}")),
    }
}
