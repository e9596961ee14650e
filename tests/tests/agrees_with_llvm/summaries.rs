//! LLVM has a module summary, too. On real units, where the two have the same field, they agree.
//!
//! LLVM's is made with `opt -module-summary` and read from what `llvm-dis` prints of it. Differences
//! that are meant:
//!
//! - LLVM counts lifetime intrinsics as instructions, Weft does not: the test counts them in the
//!   text and adds them.
//! - LLVM's summary lists intrinsics that the module declares, without facts; Weft's does not.
//! - LLVM hashes `source_filename` into the GUIDs of locals, Weft the module id: the units are
//!   compiled from paths that are their module ids, so that the two are the same.

mod llvm;

use std::collections::{BTreeMap, BTreeSet};

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

/// Shows every difference of every unit.
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
        differences
            .extend(compare(&ours, &theirs).into_iter().map(|it| format!("{}: {it}", unit.id)));
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

/// How much was compared: without anything to compare, everything agrees.
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

    /// Loads straight from a variable are rare in real code; the cases of `summary_fields` have them.
    fn is_worth_something(&self, units: usize) -> bool {
        let some = [self.calls, self.other_references, self.locals, self.variables];
        self.functions > units && some.iter().all(|&it| it > 10)
    }
}

/// The summary's bytes. `unit.bc` in the bench's folder is the device bitcode afterwards.
fn summarize(bench: &Workbench, unit: &Unit) -> Vec<u8> {
    bench
        .weft("summarize")
        .args(["--module-id", &unit.id, "-o", "unit.summary", "--bitcode", "unit.bc"])
        .arg(&unit.file)
        .succeed();
    bench.read("unit.summary")
}

/// What both summaries say of a global value.
#[derive(Debug, PartialEq, Eq)]
struct Facts {
    guid: u64,
    linkage: String,
    visibility: String,
    /// `None` where it is only declared.
    dso_local: Option<bool>,
    function: Option<FunctionFacts>,
    /// Of a variable: whether it is constant.
    constant: Option<bool>,
    references: BTreeSet<(String, Usage)>,
    aliasee: Option<String>,
}

#[derive(Debug, PartialEq, Eq)]
struct FunctionFacts {
    instructions: u32,
    read_none: bool,
    no_inline: bool,
    always_inline: bool,
    no_unwind: bool,
    calls: BTreeSet<String>,
}

/// How LLVM marks a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Usage {
    Read,
    Write,
    Other,
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
                    .map(|it| (name(it.target), usage(it.access)))
                    .collect();
                facts.function = Some(FunctionFacts {
                    instructions: function.instruction_count,
                    read_none: function.flags.read_none,
                    no_inline: function.flags.no_inline,
                    always_inline: function.flags.always_inline,
                    no_unwind: function.flags.no_unwind,
                    calls: function.calls.iter().map(|it| name(it.callee)).collect(),
                });
            }
            Body::Variable(variable) => {
                facts.constant = Some(variable.constant);
                facts.references =
                    variable.references.iter().map(|&it| (name(it), Usage::Other)).collect();
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

/// LLVM's word for a linkage.
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

/// LLVM's word for a visibility.
fn visibility(visibility: Visibility) -> String {
    match visibility {
        Visibility::Default => "default",
        Visibility::Hidden => "hidden",
        Visibility::Protected => "protected",
    }
    .to_owned()
}
