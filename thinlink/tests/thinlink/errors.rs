//! Summaries that are not a program: what is wrong, and in which files.

use std::path::PathBuf;

use thinlink::{LinkError, Policy, Unit};
use weft_artifact::Linkage::{External, Internal};
use weft_artifact::{Artifact as _, Body, Call, Declaration, SummaryFile, SymbolIndex};

use crate::support::{Module, TestResult, units};

fn error(units: &[Unit]) -> Option<LinkError> {
    let (units, code) = match thinlink::pack(units) {
        Ok(packed) => packed,
        Err(error) => return Some(error),
    };
    thinlink::link(&units, code, &Policy::default()).err()
}

fn message(units: &[Unit]) -> String {
    error(units).map(|error| error.to_string()).unwrap_or_default()
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
fn records_that_break_their_rules_are_refused() -> TestResult {
    let module = Module::new("a.cu").function("f", External, &["g"]).function("g", External, &[]);
    let broken = |change: &dyn Fn(&mut Vec<weft_artifact::Symbol>)| -> Result<String, _> {
        let mut unit = module.build()?;
        if let Some(device) = &mut unit.summary.device {
            change(&mut device.symbols);
        }
        Ok::<_, Box<dyn std::error::Error>>(message(&[unit]))
    };
    for (position, name, callee) in [(0, "f", 2), (1, "g", 9)] {
        let out_of_range = broken(&|symbols| {
            if let Body::Function(function) = &mut symbols[position].body {
                function.calls.push(Call::once(SymbolIndex(callee)));
            }
        })?;
        let reason = format!("symbol '{name}' names symbol {callee}, but there are only 2");
        assert_eq!(out_of_range, format!("a.cu.summary: malformed summary: {reason}"));
    }
    let unsorted = broken(&|symbols| symbols.swap(0, 1))?;
    assert!(unsorted.contains("'f' follows 'g'"), "{unsorted}");
    let last_unsorted = broken(&|symbols| {
        let again = symbols[0].clone();
        symbols.push(again);
    })?;
    assert!(last_unsorted.contains("'f' follows 'g'"), "{last_unsorted}");
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
    let file = SummaryFile::from(Module::new("a.cu").build()?.summary).encode()?;
    let mut record =
        lz4_flex::block::decompress_size_prepended(&file[44..]).map_err(|_| "no record")?;
    let position = record.windows(4).position(|window| window == b"a.cu").ok_or("no id")?;
    record[position..position + 4].copy_from_slice(b"../u");
    let compressed = lz4_flex::block::compress_prepend_size(&record);
    let digest = weft_artifact::digest(&compressed);
    let forged = [&file[..12], digest.as_bytes(), &compressed].concat();
    let refusal = SummaryFile::decode(&forged).err().ok_or("it was taken")?.to_string();
    assert!(refusal.contains("'../u' cannot be a module id"), "{refusal}");
    Ok(())
}

#[test]
fn plans_that_would_lie_inside_each_other_are_refused() -> TestResult {
    let units = units(&[
        Module::new("a").function("f", External, &[]),
        Module::new("a.plan/b").function("g", External, &[]),
    ])?;
    assert!(matches!(error(&units), Some(LinkError::PlanPaths { .. })));
    assert_eq!(
        message(&units),
        "a.summary and a.plan/b.summary: the plan of module 'a' would be a folder on the path of \
         the plan of module 'a.plan/b'"
    );
    Ok(())
}
