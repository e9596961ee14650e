//! Programs of extreme shapes: the executable comes to an end on each, with the right decisions.
//!
//! Each shape is one that a recursive walk, a list in a list or a short integer would not survive.
//! The questions are asked too, as they walk the same graphs. `cargo xtask bench strain` prints the
//! time and the memory of each.

use std::path::Path;

use dev_process::usage::measure;
use weft_artifact::Linkage::{External, Internal};
use weft_artifact::Manifest;

use crate::command_line::{folder, text, weft};
use crate::support::{Module, TestResult, constant};

/// Links a program of which all host code is known, prints what that took under `name`, and returns
/// its manifest.
fn linked(
    name: &str,
    folder: &Path,
    modules: &[Module],
) -> Result<Manifest, Box<dyn std::error::Error>> {
    let path = |name: &str| folder.join(name).display().to_string();
    let list: Vec<String> =
        modules.iter().map(|module| path(&format!("{}.summary", module.id()))).collect();
    std::fs::write(folder.join("all.rsp"), list.join("\n"))?;
    let words = ["-o".to_owned(), path("out"), "--has-global-host-info".to_owned()];
    let words = [&words[..], &[format!("@{}", path("all.rsp"))]].concat();
    let program = Path::new(env!("CARGO_BIN_EXE_thinlink"));
    let usage = measure(program, &words, &folder.join("usage"))?;
    println!("metric strain.{name}_seconds {:.2}", usage.cpu_seconds);
    println!("metric strain.{name}_gib {:.3}", usage.bytes / f64::from(1 << 30));
    Ok(serde_json::from_slice(&std::fs::read(folder.join("out/manifest.json"))?)?)
}

/// Returns what a run that succeeded printed.
fn answer(folder: &Path, arguments: &[&str]) -> Result<String, Box<dyn std::error::Error>> {
    let output = weft(folder, arguments)?;
    if output.status.success() {
        return Ok(text(&output.stdout).into_owned());
    }
    Err(format!("{arguments:?}: {:?}: {}", output.status, text(&output.stderr)).into())
}

/// Returns modules of one function each, which calls that of the next module; the last calls
/// `last`. The first module has the kernel `start`.
fn chain(modules: usize, last: &[&str]) -> Vec<Module> {
    let module = |number: usize| {
        let (name, next) = (format!("f{number}"), format!("f{}", number + 1));
        let calls = if number + 1 < modules { &[next.as_str()][..] } else { last };
        let module = Module::new(&format!("m{number:05}.cu")).function(&name, External, calls);
        if number == 0 { module.launched("start", &["f0"]) } else { module }
    };
    (0..modules).map(module).collect()
}

#[test]
fn a_chain_of_ten_thousand_calls_through_as_many_modules() -> TestResult {
    let modules = chain(10_000, &[]);
    let folder = folder(&modules)?;
    let manifest = linked("chain_10k", folder.path(), &modules)?;
    assert_eq!(manifest.modules.len(), 10_000);
    assert!(manifest.removed_kernels.is_empty());
    let live = answer(folder.path(), &["why-live", "-o", "out", "f9999"])?;
    assert!(live.contains("f9998") && live.contains("start"), "{}", tail(&live));
    for question in ["why-closed", "why-not-closed"] {
        assert!(answer(folder.path(), &[question, "-o", "out", "start"])?.contains("start"));
    }
    Ok(())
}

#[test]
fn a_circle_of_calls_through_five_thousand_modules() -> TestResult {
    let modules = chain(5000, &["f0"]);
    let folder = folder(&modules)?;
    let manifest = linked("circle_5k", folder.path(), &modules)?;
    assert_eq!(manifest.modules.len(), 5000);
    let live = answer(folder.path(), &["why-live", "-o", "out", "f4999"])?;
    assert!(live.contains("start"), "{}", tail(&live));
    Ok(())
}

#[test]
fn a_table_with_a_million_references() -> TestResult {
    let names: Vec<String> = (0..1_000_000).map(|number| format!("f{number}")).collect();
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    let table = Module::new("table.cu")
        .variable("table", External, constant())
        .refers("table", &all)
        .launched("reads", &[])
        .refers("reads", &["table"]);
    let mut modules = vec![table];
    modules.extend(all.chunks(20_000).enumerate().map(|(number, functions)| {
        let module = Module::new(&format!("m{number:02}.cu"));
        functions.iter().fold(module, |module, name| module.function(name, External, &[]))
    }));
    let folder = folder(&modules)?;
    let manifest = linked("references_1m", folder.path(), &modules)?;
    assert_eq!(manifest.modules.len(), 51);
    let live = answer(folder.path(), &["why-live", "-o", "out", "f999999"])?;
    assert!(live.contains("table") && live.contains("reads"), "{}", tail(&live));
    Ok(())
}

#[test]
fn a_module_of_twenty_thousand_functions_and_three_thousand_kernels() -> TestResult {
    let callee = |number: usize| format!("f{:05}", (number * 7919) % 20_000);
    let mut wide = Module::new("wide.cu");
    for number in 0..20_000 {
        let calls = [callee(number), callee(number + 1), "helper".to_owned()];
        let calls: Vec<&str> = calls.iter().map(String::as_str).collect();
        wide = wide.function(&format!("f{number:05}"), Internal, &calls);
    }
    for number in 0..3000 {
        wide = wide.launched(&format!("k{number:04}"), &[&callee(number)]);
    }
    let modules = [wide, Module::new("other.cu").function("helper", External, &[])];
    let folder = folder(&modules)?;
    let manifest = linked("functions_20k", folder.path(), &modules)?;
    assert!(manifest.removed_kernels.is_empty());
    assert_eq!(manifest.modules[1].import_sources, ["other.cu"]);
    Ok(())
}

#[test]
fn names_of_sixty_thousand_bytes() -> TestResult {
    let long = |letter: &str| letter.repeat(60_000);
    let (kernel, dead, function) = (long("k"), long("d"), long("f"));
    let modules = [
        Module::new("a.cu").launched(&kernel, &[&function]).kernel(&dead, &[&function]),
        Module::new("b.cu").function(&function, External, &[]),
    ];
    let folder = folder(&modules)?;
    let manifest = linked("names_60kb", folder.path(), &modules)?;
    assert_eq!(manifest.removed_kernels, [dead]);
    assert_eq!(manifest.modules[0].import_sources, ["b.cu"]);
    let live = answer(folder.path(), &["why-live", "-o", "out", &kernel])?;
    assert!(live.contains(&kernel) && live.contains("a.cu"), "{} bytes", live.len());
    let copied = answer(folder.path(), &["why-dead", "-o", "out", &function])?;
    assert!(copied.contains(&function) && copied.contains("b.cu"), "{} bytes", copied.len());
    Ok(())
}

/// Returns the end of a long text, for a message.
fn tail(text: &str) -> &str {
    text.get(text.len().saturating_sub(500)..).unwrap_or(text)
}
