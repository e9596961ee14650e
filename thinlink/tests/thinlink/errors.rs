//! Summaries that are not a program: what is wrong, and in which files.

use std::path::PathBuf;

use thinlink::{LinkError, Policy, Unit};
use weft_artifact::Linkage::{External, Internal};
use weft_artifact::{Artifact as _, Body, Call, Declaration, Summary, SymbolIndex};

use crate::support::{Module, TestResult, units};

fn error(units: &[Unit]) -> Option<LinkError> {
    thinlink::link(units, &Policy::default()).err()
}

fn message(units: &[Unit]) -> String {
    error(units).map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn two_strong_definitions_name_the_symbol_and_both_files() -> TestResult {
    let units = units(&[
        Module::new("b.cu").function("f", External, &[]),
        Module::new("a.cu").function("f", External, &[]),
    ])?;
    assert_eq!(message(&units), "a.cu.summary and b.cu.summary both define 'f'");
    Ok(())
}

#[test]
fn one_module_id_twice_names_it_and_both_files() -> TestResult {
    let mut units = units(&[Module::new("a.cu"), Module::new("a.cu")])?;
    units[1].path = PathBuf::from("copy.summary");
    assert_eq!(
        message(&units),
        "a.cu.summary and copy.summary both are summaries of module 'a.cu'"
    );
    Ok(())
}

#[test]
fn modules_for_different_architectures_are_refused() -> TestResult {
    let units = units(&[
        Module::new("a.cu").function("f", External, &[]),
        Module::new("host.cpp"),
        Module::new("z.cu").architecture("sm_100").function("g", External, &[]),
    ])?;
    assert_eq!(
        message(&units),
        "a.cu.summary and z.cu.summary differ in architecture: 'sm_90' and 'sm_100'"
    );
    Ok(())
}

#[test]
fn modules_with_different_triple_or_data_layout_are_refused() -> TestResult {
    let modules = [
        Module::new("a.cu").function("f", External, &[]),
        Module::new("b.cu").function("g", External, &[]),
    ];
    let mut triple = units(&modules)?;
    let mut layout = units(&modules)?;
    if let Some(device) = &mut triple[1].summary.device {
        device.triple = "nvptx-nvidia-cuda".to_owned();
    }
    if let Some(device) = &mut layout[1].summary.device {
        device.data_layout = "e-p:32:32".to_owned();
    }
    assert!(message(&triple).contains("differ in target triple"), "{}", message(&triple));
    assert!(message(&layout).contains("differ in data layout"), "{}", message(&layout));
    Ok(())
}

#[test]
fn records_that_break_their_rules_are_refused() -> TestResult {
    let module = Module::new("a.cu").function("f", External, &["g"]).function("g", External, &[]);
    let broken = |change: &dyn Fn(&mut Vec<weft_artifact::Symbol>)| -> Result<String, _> {
        let mut unit = module.build()?;
        if let Some(device) = &mut unit.summary.device {
            change(&mut device.symbols);
        }
        Ok::<_, Box<dyn std::error::Error>>(message(&[unit]))
    };
    let out_of_range = broken(&|symbols| {
        if let Body::Function(function) = &mut symbols[0].body {
            function.calls.push(Call::once(SymbolIndex(2)));
        }
    })?;
    assert_eq!(
        out_of_range,
        "a.cu.summary: malformed summary: symbol 'f' names symbol 2, but there are only 2"
    );
    let unsorted = broken(&|symbols| symbols.swap(0, 1))?;
    assert!(unsorted.contains("'f' follows 'g'"), "{unsorted}");
    let twice = broken(&|symbols| symbols[1].name = "f".to_owned())?;
    assert!(twice.contains("'f' follows 'f'"), "{twice}");
    let undefined_local = broken(&|symbols| {
        symbols[1].linkage = Internal;
        symbols[1].body = Body::Declaration(Declaration::Function);
    })?;
    assert!(undefined_local.contains("'g' is local but not defined"), "{undefined_local}");
    Ok(())
}

#[test]
fn a_module_id_that_escapes_its_folder_is_refused() -> TestResult {
    // Such an id cannot be made, but bytes can be: `a.cu` becomes `../u` of the same length.
    let bytes = Module::new("a.cu").build()?.summary.encode()?;
    let mut record =
        miniz_oxide::inflate::decompress_to_vec(&bytes[44..]).map_err(|error| error.to_string())?;
    let position = record.windows(4).position(|window| window == b"a.cu").ok_or("no id")?;
    record[position..position + 4].copy_from_slice(b"../u");
    let record = miniz_oxide::deflate::compress_to_vec(&record, 6);
    let bytes = [&bytes[..12], weft_artifact::digest(&record).as_bytes(), &record].concat();
    let unit = Unit { path: PathBuf::from("evil.summary"), summary: Summary::decode(&bytes)? };
    let message = message(&[unit]);
    assert!(message.starts_with("evil.summary: '../u' cannot be a module id"), "{message}");
    Ok(())
}

#[test]
fn plans_that_would_lie_inside_each_other_are_refused() -> TestResult {
    let units = units(&[
        Module::new("a").function("f", External, &[]),
        Module::new("a.plan/b").function("g", External, &[]),
    ])?;
    assert!(matches!(error(&units), Some(LinkError::PlanPaths { .. })), "{}", message(&units));
    Ok(())
}
