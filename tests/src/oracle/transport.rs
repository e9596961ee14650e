//! The example as inputs of a link.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use super::inputs::{LinkInput, LinkInputKind, LinkInputs};
use super::plain::entries;
use super::runner::{Failure, check, check_in};
use crate::kept::Kept;
use crate::reference::transport_objects;
use crate::{ARCHITECTURE, Compiler, Workbench, tools, workspace_root};

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

/// Compiles the units of the example with the compilers of `bench`, copies the objects into it, and
/// returns the paths of the units.
fn compiled(bench: &Workbench) -> Result<Vec<String>, String> {
    let source = workspace_root().join("examples/transport");
    let units = dev_builds::Units::find(&source).map_err(|error| error.to_string())?;
    let majors: Vec<_> = (0..units.cuda.len()).map(|unit| bench.compiler(unit).major()).collect();
    let clangs: BTreeSet<_> = majors.iter().map(u32::to_string).collect();
    let clangs = clangs.into_iter().collect::<Vec<_>>().join("-");
    let mut kept = Kept::new(&format!("transport-clang-{clangs}"), &source);
    let mut add = |unit: &str, clang: &Path, options: Vec<String>| {
        let object = kept.object(&format!("{unit}.o"));
        let common = ["-O3", "-std=c++17", "-c", "-Iinclude", unit, "-o"].map(str::to_owned);
        let mut arguments: Vec<OsString> =
            options.into_iter().chain(common).map(OsString::from).collect();
        arguments.push(object.clone().into());
        kept.add(Path::new(unit), &object, clang, &arguments);
        object
    };
    let mut objects = Vec::new();
    for (number, unit) in units.cuda.iter().enumerate() {
        let compiler = bench.compiler(number);
        let (clang, mut options) = compiler.clang_cxx();
        options.push(format!("--cuda-gpu-arch={ARCHITECTURE}"));
        options.push(format!("--cuda-path={}", compiler.cuda_root().display()));
        let for_device = ["-Xarch_device", "-fwhole-program-vtables"];
        let embedding = ["-fgpu-rdc", "--offload-new-driver", "-foffload-lto"];
        let all = embedding.into_iter().chain(for_device).chain(["-Wno-unknown-cuda-version"]);
        options.extend(all.map(str::to_owned));
        options.extend(compiler.naming(unit));
        objects.push(add(unit, &clang, options));
    }
    for unit in &units.host {
        let include = bench.compiler(0).cuda_root().join("include");
        let options = vec![format!("-I{}", include.display())];
        objects.push(add(unit, &tools().llvm("clang++"), options));
    }
    kept.make(&objects)?;
    let units = [units.cuda, units.host].concat();
    for (unit, object) in units.iter().zip(&objects) {
        let copy = bench.file(&format!("{unit}.o"));
        fs::create_dir_all(copy.parent().unwrap_or(bench.path()))
            .and_then(|()| fs::copy(object, copy))
            .map_err(|error| format!("{unit}: {error}"))?;
    }
    Ok(units)
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
    match found.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()[..] {
        [symbol] => Ok(symbol.clone()),
        ref several => Err(format!("the example registers {several:?} for {parts:?}")),
    }
}
