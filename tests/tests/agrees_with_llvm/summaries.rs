//! Agreement with LLVM's own module summary on real units, in the fields that both have.
//!
//! LLVM's summary is made with `opt -module-summary` and read from the output of `llvm-dis`. The
//! following differences are intended:
//!
//! - LLVM counts lifetime intrinsics as instructions, and Weft does not. The test counts them in
//!   the text and adds them.
//! - LLVM's summary lists intrinsics that the module declares, without facts. Weft's does not.
//! - LLVM hashes `source_filename` into the GUIDs of locals, and Weft the module id. The units are
//!   compiled from paths that equal their module ids, so that both are the same.

mod facts;
mod llvm;

use std::collections::{BTreeMap, BTreeSet};

use facts::{Facts, FunctionFacts, Usage};
use weft_artifact::{Access, Artifact as _, Body, DeviceModule, Linkage, SummaryFile, Visibility};
use weft_tests::Workbench;

use crate::units::{self, Unit};

#[test]
fn ggml_units_agree() {
    let units = units::ggml();
    assert_eq!(units.len(), 40);
    compare_all(units);
}

#[test]
fn transport_units_agree() {
    let units = units::transport();
    assert!(units.len() > 30);
    compare_all(units);
}

/// Compares the summaries of every unit and prints all differences.
fn compare_all(units: &[Unit]) {
    let bench = Workbench::new();
    let mut differences = Vec::new();
    let mut compared = Tally::default();
    for unit in units {
        let bytes = summarize(&bench, unit);
        assert!(bytes == summarize(&bench, unit), "{}: two summaries differ", unit.id);
        let file = match SummaryFile::decode(&bytes) {
            Ok(file) => file,
            Err(error) => panic!("{}: {error}", unit.id),
        };
        let device = file.summaries.into_iter().next().and_then(|summary| summary.device);
        let device = device.unwrap_or_else(|| panic!("{}: no device code", unit.id));
        let theirs = llvm::summary(&bench, "unit.bc");
        let ours = ours(&device);
        for facts in ours.values() {
            compared.add(facts);
        }
        differences.extend(
            compare(&ours, &theirs)
                .into_iter()
                .map(|difference| format!("{}: {difference}", unit.id)),
        );
    }
    println!("{} units: {compared:?}", units.len());
    assert!(compared.is_worth_something(units.len()), "{compared:?}");
    assert!(
        differences.is_empty(),
        "{} differences:\n{}",
        differences.len(),
        differences.join("\n")
    );
}

/// Numbers of compared facts, which show that the comparison was not empty.
#[derive(Debug, Default)]
struct Tally {
    functions: usize,
    calls: usize,
    reads: usize,
    other_references: usize,
    locals: usize,
    variables: usize,
}

impl Tally {
    fn add(&mut self, facts: &Facts) {
        let reads = facts.references.iter().filter(|(_, usage)| *usage == Usage::Read).count();
        self.reads += reads;
        self.other_references += facts.references.len() - reads;
        self.locals += usize::from(facts.linkage == "internal" || facts.linkage == "private");
        self.variables += usize::from(facts.constant.is_some());
        if let Some(function) = &facts.function {
            self.functions += 1;
            self.calls += function.calls.len();
        }
    }

    /// Returns whether enough facts were compared. Direct loads from a variable are rare in real
    /// code, and the cases of `summary_fields` cover them.
    fn is_worth_something(&self, units: usize) -> bool {
        let some = [self.calls, self.other_references, self.locals, self.variables];
        self.functions > units && some.iter().all(|&count| count > 10)
    }
}

/// Returns the bytes of the summary. Writes the device bitcode to `unit.bc` in the bench's folder.
fn summarize(bench: &Workbench, unit: &Unit) -> Vec<u8> {
    bench
        .weft("summarize")
        .args(["--module-id", &unit.id, "-o", "unit.summary", "--bitcode", "unit.bc"])
        .arg(&unit.file)
        .succeed();
    bench.read("unit.summary")
}

fn compare(ours: &BTreeMap<String, Facts>, theirs: &BTreeMap<String, Facts>) -> Vec<String> {
    let names: BTreeSet<_> = ours.keys().chain(theirs.keys()).collect();
    names
        .into_iter()
        .filter(|&name| ours.get(name) != theirs.get(name))
        .map(|name| format!("{name}\n  ours {:?}\n  LLVM {:?}", ours.get(name), theirs.get(name)))
        .collect()
}

fn ours(device: &DeviceModule) -> BTreeMap<String, Facts> {
    let name = |index| match device.symbol(index) {
        Some(symbol) => symbol.name.clone(),
        None => panic!("{index:?} is no symbol"),
    };
    let symbols = device.symbols.iter().map(|symbol| {
        let is_definition = symbol.is_definition();
        let mut facts = Facts {
            guid: symbol.guid.0,
            linkage: if is_definition { linkage(symbol.linkage) } else { String::new() },
            visibility: if is_definition { visibility(symbol.visibility) } else { String::new() },
            dso_local: is_definition.then_some(symbol.dso_local),
            function: None,
            constant: None,
            references: BTreeSet::new(),
            aliasee: None,
        };
        match &symbol.body {
            Body::Function(function) => {
                facts.references = function
                    .references
                    .iter()
                    .map(|reference| (name(reference.target), usage(reference.access)))
                    .collect();
                facts.function = Some(FunctionFacts {
                    instructions: function.instruction_count,
                    read_none: function.flags.read_none,
                    no_inline: function.flags.no_inline,
                    always_inline: function.flags.always_inline,
                    no_unwind: function.flags.no_unwind,
                    calls: function.calls.iter().map(|call| name(call.callee)).collect(),
                });
            }
            Body::Variable(variable) => {
                facts.constant = Some(variable.constant);
                facts.references = variable
                    .references
                    .iter()
                    .map(|&target| (name(target), Usage::Other))
                    .collect();
            }
            Body::Alias(alias) => facts.aliasee = Some(name(alias.target)),
            Body::Declaration(_) => {}
        }
        (symbol.name.clone(), facts)
    });
    symbols.collect()
}

fn usage(access: Access) -> Usage {
    match access {
        Access::Read => Usage::Read,
        Access::Write => Usage::Write,
        Access::Other => Usage::Other,
    }
}

/// Returns LLVM's word for a linkage.
fn linkage(linkage: Linkage) -> String {
    match linkage {
        Linkage::External => "external",
        Linkage::AvailableExternally => "available_externally",
        Linkage::LinkonceAny => "linkonce",
        Linkage::LinkonceOdr => "linkonce_odr",
        Linkage::WeakAny => "weak",
        Linkage::WeakOdr => "weak_odr",
        Linkage::Appending => "appending",
        Linkage::Internal => "internal",
        Linkage::Private => "private",
        Linkage::ExternalWeak => "extern_weak",
        Linkage::Common => "common",
    }
    .to_owned()
}

/// Returns LLVM's word for a visibility.
fn visibility(visibility: Visibility) -> String {
    match visibility {
        Visibility::Default => "default",
        Visibility::Hidden => "hidden",
        Visibility::Protected => "protected",
    }
    .to_owned()
}
