//! Agreement with LLVM's own module summary on real units and on IR with a profile, in the fields
//! that both have.
//!
//! LLVM's summary is made with `opt -module-summary` and read from the output of `llvm-dis`. The
//! following differences are intended:
//!
//! - LLVM's summary lists intrinsics that the module declares, without facts. Weft's does not.
//! - LLVM hashes `source_filename` into the GUIDs of locals, and Weft the module id. The units are
//!   compiled from paths that equal their module ids, so that both are the same.

mod facts;
mod llvm;

use std::collections::{BTreeMap, BTreeSet};

use facts::{Facts, FunctionFacts};
use weft_artifact::{
    Artifact as _, Body, DeviceModule, Guid, Hotness, Linkage, SummaryFile, Visibility,
};
use weft_tests::Workbench;

use crate::agrees_with_llvm::units::{self, Unit};

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

/// Lifetime markers count, marks of a profile do not, and calls that a profile or metadata tells of
/// are edges, critical where the profile demands the callee.
#[test]
fn ir_with_a_profile_agrees() {
    let bench = Workbench::new();
    let [called, nowhere, local] =
        ["called", "nowhere", "unit.cu;local"].map(|name| Guid::of_global(name).0.cast_signed());
    bench.write(
        "profile.ll",
        format!(
            "source_filename = \"unit.cu\"
target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"
target triple = \"nvptx64-nvidia-cuda\"
declare void @called()
declare void @other()
declare void @target()
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @llvm.pseudoprobe(i64, i64, i32, i64)
define internal void @local() {{ ret void }}
define void @f(ptr %p) !prof !0 {{
  %slot = alloca i32
  call void @llvm.lifetime.start.p0(ptr %slot)
  call void @llvm.pseudoprobe(i64 1, i64 1, i32 0, i64 -1)
  call void @called()
  call void @other()
  call void %p(), !callees !1
  call void %p(), !prof !2
  call void @llvm.lifetime.end.p0(ptr %slot)
  ret void
}}
!llvm.module.flags = !{{!3}}
!0 = !{{!\"function_entry_count\", i64 7, i64 {called}, i64 {nowhere}, i64 {local}}}
!1 = !{{ptr @target, ptr @other}}
!2 = !{{!\"VP\", i32 0, i64 10, i64 {called}, i64 4, i64 77, i64 6}}
!3 = !{{i32 1, !\"ThinLTO\", i32 1}}
"
        ),
    );
    bench.assemble_ir("profile");
    let unit = Unit { id: "unit.cu".to_owned(), file: bench.file("profile.bc") };
    let ours = read(&unit, &summarize(&bench, &unit));
    assert_eq!(compare(&ours, &llvm::summary(&bench, "profile.bc")), [""; 0]);
    let calls = ours["f"].function.as_ref().map(|function| function.calls.clone());
    let nowhere = nowhere.cast_unsigned().to_string();
    let expected = [
        ("77", false),
        ("called", true),
        ("local", true),
        ("other", false),
        ("target", false),
        (nowhere.as_str(), true),
    ];
    let expected = expected.map(|(name, is_critical)| (name.to_owned(), is_critical));
    assert_eq!(calls, Some(BTreeSet::from(expected)));
}

/// Compares the summaries of every unit and prints all differences.
fn compare_all(units: &[Unit]) {
    let bench = Workbench::new();
    let mut differences = Vec::new();
    let mut compared = Tally::default();
    for unit in units {
        let bytes = summarize(&bench, unit);
        assert!(bytes == summarize(&bench, unit), "{}: two summaries differ", unit.id);
        let theirs = llvm::summary(&bench, "unit.bc");
        let ours = read(unit, &bytes);
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
    references: usize,
    locals: usize,
    variables: usize,
}

impl Tally {
    fn add(&mut self, facts: &Facts) {
        self.references += facts.references.len();
        self.locals += usize::from(facts.linkage == "internal" || facts.linkage == "private");
        self.variables += usize::from(facts.constant.is_some());
        if let Some(function) = &facts.function {
            self.functions += 1;
            self.calls += function.calls.len();
        }
    }

    /// Returns whether enough facts were compared.
    fn is_worth_something(&self, units: usize) -> bool {
        let some = [self.calls, self.references, self.locals, self.variables];
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

/// Returns the facts in the unit's summary.
fn read(unit: &Unit, summary: &[u8]) -> BTreeMap<String, Facts> {
    let file = match SummaryFile::decode(summary) {
        Ok(file) => file,
        Err(error) => panic!("{}: {error}", unit.id),
    };
    let device = file.summaries.into_iter().next().and_then(|summary| summary.device);
    ours(&device.unwrap_or_else(|| panic!("{}: no device code", unit.id)))
}

fn ours(device: &DeviceModule) -> BTreeMap<String, Facts> {
    let name = |index| match device.symbol(index) {
        Some(symbol) => symbol.name.clone(),
        None => panic!("{index:?} is no symbol"),
    };
    let name_of = |guid: Guid| {
        let known = device.symbols.iter().find(|symbol| symbol.guid == guid);
        known.map_or_else(|| guid.to_string(), |symbol| symbol.name.clone())
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
                facts.references = function.references.iter().copied().map(name).collect();
                facts.function = Some(FunctionFacts {
                    instructions: function.instruction_count,
                    read_none: function.flags.read_none,
                    no_inline: function.flags.no_inline,
                    always_inline: function.flags.always_inline,
                    no_unwind: function.flags.no_unwind,
                    calls: function
                        .calls
                        .iter()
                        .map(|call| (name(call.callee), call.hotness))
                        .chain(
                            function
                                .distant_calls
                                .iter()
                                .map(|call| (name_of(call.callee), call.hotness)),
                        )
                        .map(|(callee, hotness)| (callee, hotness == Hotness::Critical))
                        .collect(),
                });
            }
            Body::Variable(variable) => {
                facts.constant = Some(variable.constant);
                facts.references = variable.references.iter().copied().map(name).collect();
            }
            Body::Alias(alias) => facts.aliasee = Some(name(alias.target)),
            Body::Declaration(_) => {}
        }
        (symbol.name.clone(), facts)
    });
    symbols.collect()
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
