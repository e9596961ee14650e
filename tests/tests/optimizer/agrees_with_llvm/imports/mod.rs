//! `thinlink --import-model llvm` makes the imports that `llvm-lto2` makes with the same options.
//!
//! Both get the same modules in the same order, and the same definitions prevail. The following
//! differences are intended, and each is checked against the summary of the symbol ([`Rule`]):
//!
//! - LLVM imports variables that may change, lie in shared memory, or are set by the host. Such an
//!   import gains nothing, because no load can be folded, so Weft imports constants only.
//! - LLVM imports, and promotes, local constants with an insignificant address. Weft copies them,
//!   which a plan does not record.
//! - LLVM imports the function behind an alias. Weft leaves aliases alone.
//! - LLVM imports callees of a kernel's non-prevailing definition. Kernels are never inlined, and
//!   Weft drops that definition.
//! - LLVM declares a definition of a function that is too large at its first call, and keeps the
//!   declaration if it imports another definition at a better call. Weft reports the result only.
//!
//! One difference cannot be explained symbol by symbol: where calls have several classes and limits
//! decay, LLVM's result depends on the order in which it visits functions, which is the order of a
//! hash table. That test allows one import in a hundred to differ.

mod critical;
mod import;
mod lto2;
mod program;

use std::collections::{BTreeMap, BTreeSet};

use dev_graph::{Graph, Shape};
use import::Import;
use program::Program;
use weft_artifact::{Artifact as _, Body, Plan, Symbol};
use weft_tests::Workbench;

use crate::agrees_with_llvm::units;

/// Reason why LLVM imports a symbol that Weft does not import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rule {
    NotConstant,
    Copied,
    Alias,
    KernelCopy,
    DeclaredBefore,
}

/// Number of equal imports, and number of differences that each rule explains.
#[derive(Debug, Default)]
struct Tally {
    equal: usize,
    explained: BTreeMap<Rule, usize>,
}

#[test]
fn transport() {
    let bench = Workbench::new();
    let program = Program::of_units(&bench, units::transport());
    for knobs in [&[][..], &["--import-instr-limit=1000"]] {
        let tally = compare(&bench, &program, knobs);
        assert!(tally.equal > 20, "{tally:?}");
    }
}

#[test]
fn ggml_units() {
    let bench = Workbench::new();
    let program = Program::of_units(&bench, units::ggml());
    for knobs in [&[][..], &["--import-instr-limit=1000"]] {
        compare(&bench, &program, knobs);
    }
}

/// Every visible definition is a root.
#[test]
fn generated_program() {
    let bench = Workbench::new();
    let program = Program::of_graph(&bench, &graph(1), false);
    let settings: [&[&str]; 7] = [
        &[],
        &["--import-instr-limit=30", "--import-instr-evolution-factor=0.9"],
        &["--import-instr-limit=7", "--import-instr-evolution-factor=1"],
        &["--import-instr-limit=1000"],
        &["--import-constants-with-refs=false"],
        &["--force-import-all", "--import-instr-limit=5"],
        &["--import-cutoff=0"],
    ];
    for knobs in settings {
        let tally = compare(&bench, &program, knobs);
        let nothing = knobs == ["--import-cutoff=0"];
        assert_eq!(tally.equal > 500, !nothing, "{knobs:?}: {tally:?}");
        let only_declared = tally.explained.keys().all(|rule| *rule == Rule::DeclaredBefore);
        assert!(only_declared, "{knobs:?}: {tally:?}");
    }
}

/// Only kernels are roots, so that half of the program is dead.
#[test]
fn generated_program_with_complete_host_information() {
    let bench = Workbench::new();
    let program = Program::of_graph(&bench, &graph(2), false).with_complete_host_information();
    for knobs in [&[][..], &["--import-instr-limit=40"]] {
        let tally = compare(&bench, &program, knobs);
        assert!(tally.equal > 500 && tally.explained.is_empty(), "{knobs:?}: {tally:?}");
    }
}

/// According to the profile, some calls are hot, some are cold and some are neither.
#[test]
fn generated_program_with_a_profile() {
    let bench = Workbench::new();
    let program = Program::of_graph(&bench, &graph(3), true);
    let settings: [&[&str]; 2] = [
        &["--import-instr-evolution-factor=1"],
        &[
            "--import-instr-limit=20",
            "--import-hot-multiplier=3",
            "--import-cold-multiplier=0.5",
            "--import-instr-evolution-factor=1",
        ],
    ];
    for knobs in settings {
        let tally = compare(&bench, &program, knobs);
        assert!(tally.equal > 500 && tally.explained.is_empty(), "{knobs:?}: {tally:?}");
    }
}

/// LLVM's result depends on the order of a hash table here, so a few imports may differ, as the
/// head of this file explains.
#[test]
fn generated_program_in_which_order_counts() {
    let bench = Workbench::new();
    let program = Program::of_graph(&bench, &graph(4), true);
    let (tally, differences) = differences(&bench, &program, &[]);
    assert!(tally.equal > 500 && differences.len() * 100 <= tally.equal, "{tally:?}");
}

#[test]
fn a_workload_definition() {
    let bench = Workbench::new();
    let program = Program::of_graph(&bench, &graph(1), false);
    let functions: Vec<&Symbol> = program.external_functions().take(400).collect();
    let roots = functions.iter().step_by(100).map(|root| {
        let callees =
            functions.iter().skip(7).step_by(31).map(|callee| format!("\"{}\"", callee.name));
        format!("\"{}\": [{}]", root.name, callees.collect::<Vec<_>>().join(", "))
    });
    let text = format!("{{{}}}", roots.collect::<Vec<_>>().join(",\n"));
    bench.write("workload.json", text);
    let tally = compare(&bench, &program, &["--thinlto-workload-def=workload.json"]);
    assert!(tally.equal > 500 && tally.explained.is_empty(), "{tally:?}");
}

fn graph(seed: u64) -> Graph {
    Graph::new(Shape { modules: 200, symbols: 14, density: 280, seed })
}

/// Runs both thin links and prints every difference that no rule explains.
fn compare(bench: &Workbench, program: &Program, knobs: &[&str]) -> Tally {
    let (tally, mut differences) = differences(bench, program, knobs);
    let count = differences.len();
    differences.truncate(20);
    assert!(count == 0, "{knobs:?}: {count} differences\n{}", differences.join("\n"));
    tally
}

fn differences(bench: &Workbench, program: &Program, knobs: &[&str]) -> (Tally, Vec<String>) {
    let ours = ours(bench, program, knobs);
    let theirs = lto2::imports(bench, program, knobs);
    let mut tally = Tally { equal: ours.intersection(&theirs).count(), ..Tally::default() };
    let mut differences = Vec::new();
    for import in theirs.difference(&ours) {
        match rule(program, &ours, import) {
            Some(rule) => *tally.explained.entry(rule).or_default() += 1,
            None => differences.push(format!("LLVM: {}", show(program, import))),
        }
    }
    differences
        .extend(ours.difference(&theirs).map(|import| format!("ours: {}", show(program, import))));
    println!("{knobs:?}: {tally:?}, {} differences", differences.len());
    (tally, differences)
}

fn show(program: &Program, import: &Import) -> String {
    let symbol = program.symbol(&import.source, import.guid);
    format!("{import:?}: {symbol:?}")
}

fn rule(program: &Program, ours: &BTreeSet<Import>, import: &Import) -> Option<Rule> {
    let symbol = program.symbol(&import.source, import.guid)?;
    let defined = |other: &Import| {
        other.importer == import.importer && other.guid == import.guid && !other.declaration
    };
    if import.declaration && ours.iter().any(defined) {
        return Some(Rule::DeclaredBefore);
    }
    if program.has_kernel_copy(&import.importer) {
        return Some(Rule::KernelCopy);
    }
    match &symbol.body {
        Body::Variable(variable) if symbol.linkage.is_local() && variable.copyable => {
            Some(Rule::Copied)
        }
        Body::Variable(variable) => {
            let is_constant = variable.constant
                && !variable.externally_initialized
                && matches!(symbol.address_space, 0 | 1 | 4);
            (!is_constant).then_some(Rule::NotConstant)
        }
        Body::Alias(_) => Some(Rule::Alias),
        Body::Function(_) | Body::Declaration(_) => None,
    }
}

/// Returns the imports of the plans, and the declarations, which only a report lists.
fn ours(bench: &Workbench, program: &Program, knobs: &[&str]) -> BTreeSet<Import> {
    let mut run =
        bench.weft("thinlink").args(["--import-model=llvm", "--print-imports", "-oplans"]);
    if program.complete_host_information {
        run = run.arg("--has-global-host-info");
    }
    let report = run.args(knobs.iter().copied()).args(program.summaries()).succeed();
    let mut imports = BTreeSet::new();
    let mut add = |importer: &str, source: &str, name: &str, declaration| {
        let guid = program.guid(source, name);
        let (importer, source) = (importer.to_owned(), source.to_owned());
        imports.insert(Import { importer, source, guid: guid.0, declaration });
    };
    for id in program.ids() {
        let plan = match Plan::decode(&bench.read(&format!("plans/{id}.plan"))) {
            Ok(plan) => plan,
            Err(error) => panic!("{id}: {error}"),
        };
        for list in plan.imports {
            for name in &list.symbols {
                add(id, list.module_id.as_str(), name, false);
            }
        }
    }
    for line in report.stdout.lines() {
        if let [importer, "declares", name, "from", source] =
            line.split(' ').collect::<Vec<_>>()[..]
        {
            add(importer, source, name, true);
        }
    }
    imports
}
