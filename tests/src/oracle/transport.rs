//! The example as inputs of a link.

use super::inputs::{LinkInput, LinkInputKind, LinkInputs};
use super::plain::entries;
use super::runner::{Failure, check, check_in};
use crate::reference::transport_objects;
use crate::{ARCHITECTURE, Compiler, Run, Workbench, workspace_root};

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
    check("examples/transport", |bench| inputs(bench, &transport_objects(bench.path())?))
}

/// Does the same with CUDA units of other compilers, which take turns.
pub fn check_transport_by(compilers: &[Compiler]) -> Result<(), Box<Failure>> {
    let bench = Workbench::with_compilers(compilers);
    check_in(bench, "examples/transport", |bench| inputs(bench, &compiled(bench)?))
}

/// Compiles the units of the example with the compilers of `bench`, and returns their paths.
fn compiled(bench: &Workbench) -> Result<Vec<String>, String> {
    let source = workspace_root().join("examples/transport");
    let units = dev_builds::Units::find(&source).map_err(|error| error.to_string())?;
    let make = |command: Run, unit: &str| {
        let object = bench.file(&format!("{unit}.o"));
        if let Some(folder) = object.parent() {
            std::fs::create_dir_all(folder).map_err(|error| format!("{unit}: {error}"))?;
        }
        let include = source.join("include");
        command
            .args(["-O3", "-std=c++17", "-c", "-I"])
            .arg(include)
            .arg(source.join(unit))
            .arg("-o")
            .arg(object)
            .attempt()
            .map(drop)
    };
    for (number, unit) in units.cuda.iter().enumerate() {
        let compiler = bench.compiler(number);
        let command = Run::new(compiler.clang_cxx(), bench.path())
            .arg(format!("--cuda-gpu-arch={ARCHITECTURE}"))
            .arg(format!("--cuda-path={}", compiler.cuda_root().display()))
            .args(["-fgpu-rdc", "--offload-new-driver", "-foffload-lto"])
            .args(["-Xarch_device", "-fwhole-program-vtables"])
            .args(["-Wno-unknown-cuda-version"])
            .args(compiler.naming(unit));
        make(command, unit)?;
    }
    for unit in &units.host {
        let include = bench.compiler(0).cuda_root().join("include");
        let command = bench.llvm("clang++").arg("-I").arg(include);
        make(command, unit)?;
    }
    Ok([units.cuda, units.host].concat())
}

fn inputs(bench: &Workbench, units: &[String]) -> Result<LinkInputs, String> {
    let mut files = Vec::new();
    let mut registered = Vec::new();
    for unit in units.iter().cloned() {
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
