//! An edit of a definition that was not imported does not change an importer's linked module, and
//! an edit of an imported definition does.
//!
//! `WEFT_EDITED_PROGRAMS` sets the number of random programs that are edited, and `WEFT_SEED` the
//! first seed.

use std::collections::BTreeMap;
use std::sync::Mutex;

use dev_programs::random::{Definition, Edit, EditKind, Program};
use dev_random::Choices;
use weft_artifact::{Artifact as _, Plan, Resolution};
use weft_tests::meaning::{self, Options};
use weft_tests::{Workbench, for_each, setting};

const A: &str = include_str!("../../scenarios/promotion/a.ll");
const B: &str = include_str!("../../scenarios/promotion/b.ll");

/// Returns the linked module of the importer `a`, with `b` as its import source.
fn linked_importer(b: &str) -> Vec<u8> {
    let bench = Workbench::new();
    bench.write("a.ll", A);
    bench.write("b.ll", b);
    bench.prepare(&["a", "b"]);
    // Only imports for inlining are of interest here.
    bench.thinlink(&["a", "b"], &["--close-modules=false"]);
    bench.import("a", &["b"]).succeed();
    bench.read("a.linked.bc")
}

/// Returns `B` with a text replaced. The text must occur.
fn edited(old: &str, new: &str) -> String {
    assert!(B.contains(old), "{old:?} is not in the unit");
    B.replace(old, new)
}

#[test]
fn edits_outside_the_imported_bodies_change_nothing() {
    let before = linked_importer(B);
    let function = "define i32 @another(ptr %p) #0 {\n  %q = getelementptr %struct.new, ptr %p, \
                    i32 1\n  store i32 1, ptr %q, !new.kind !0\n  ret i32 0\n}\n!0 = !{}\n";
    let edits = [
        ("an unimported body", edited("store volatile i8 0", "store volatile i8 1")),
        ("an unimported variable", edited("global i32 3", "global i32 4")),
        (
            "a longer unimported body",
            edited("  ret void", "  store volatile i8 2, ptr %slot\n  ret void"),
        ),
        ("a new function with a type and metadata of its own", {
            edited("@counter =", "@zero = constant i32 0\n@counter =")
                + "%struct.new = type { i8, i32 }\n"
                + function
        }),
        ("a new local before those that are imported", {
            edited("@counter =", "@aaa = internal unnamed_addr constant i32 5\n@counter =")
        }),
        ("another source name", format!("source_filename = \"/elsewhere/b.cu\"\n{B}")),
        ("names of local values", edited("%old", "%renamed")),
    ];
    for (what, edit) in edits {
        assert!(linked_importer(&edit) == before, "{what} changed the importer's linked module");
    }
}

#[test]
fn edits_inside_the_imported_bodies_change_it() {
    let before = linked_importer(B);
    let edits = [
        ("the body", edited("i32 1 monotonic", "i32 2 monotonic")),
        ("a copied string", edited("c\"hello", "c\"hallo")),
        ("a variable's size", edited("32 x i32", "64 x i32")),
    ];
    for (what, edit) in edits {
        assert!(linked_importer(&edit) != before, "{what} left the importer's linked module");
    }
}

/// Number of edits of each random program.
const EDITS: usize = 5;
/// Options that keep every function as its source has it: clang inlines none of them.
const UNOPTIMIZED: [&str; 4] = ["-Xarch_device", "-O1", "-Xclang", "-disable-llvm-passes"];

/// Outputs of the thin link and the import phase of a program, by unit.
struct Built {
    plans: BTreeMap<String, Plan>,
    linked: BTreeMap<String, Vec<u8>>,
}

impl Built {
    /// Links a program whose units are compiled.
    fn link(bench: &Workbench, program: &Program, options: &Options) -> Self {
        let names = program.names();
        let summaries = names.iter().map(|name| format!("{name}.summary"));
        let thinlink = bench.weft("thinlink").args(["-o", "plans"]).args(options.thinlink());
        let order = meaning::link_order(bench, program);
        thinlink.args(order).args(summaries).succeed();
        let mut built = Self { plans: BTreeMap::new(), linked: BTreeMap::new() };
        for name in &names {
            bench.import(name, &names).succeed();
            let plan = Plan::decode(&bench.read(&format!("plans/{name}.plan")));
            let plan = plan.unwrap_or_else(|error| panic!("the plan of {name}: {error}"));
            built.plans.insert((*name).to_owned(), plan);
            built.linked.insert((*name).to_owned(), bench.read(&format!("{name}.linked.bc")));
        }
        built
    }

    /// Returns whether the plan of `importer` imports the definition from `unit`.
    fn imports(&self, importer: &str, unit: &str, definition: &Definition) -> bool {
        let lists = self.plans[importer].imports.iter();
        let mut list = lists.filter(|list| list.module_id.as_str() == unit);
        list.any(|list| list.symbols.iter().any(|symbol| definition.is_called(symbol)))
    }

    /// Returns the unit whose plan compiles `unit`: itself, or the first member of its bundle.
    fn job_of<'a>(&'a self, unit: &'a str) -> &'a str {
        let has = |plan: &&Plan| plan.members.iter().any(|one| one.module_id.as_str() == unit);
        let bundle = self.plans.values().find(has);
        bundle.map_or(unit, |plan| plan.module_id.as_str())
    }

    /// Returns whether the plan that compiles `unit` removes the unit's own definition.
    fn removes(&self, unit: &str, definition: &Definition) -> bool {
        let plan = &self.plans[self.job_of(unit)];
        let member = plan.members.iter().find(|member| member.module_id.as_str() == unit);
        let symbols = member.map_or(&plan.symbols, |member| &member.symbols);
        symbols.iter().any(|symbol| {
            symbol.resolution == Resolution::Remove && definition.is_called(&symbol.name)
        })
    }
}

/// Compiles a unit and returns its device bitcode.
fn compile(bench: &Workbench, program: &Program, unit: usize) -> Vec<u8> {
    let name = &program.units[unit].name;
    bench.write(&format!("{name}.cu"), program.text(unit));
    if let Err(story) = meaning::compile(bench, name, &UNOPTIMIZED) {
        panic!("{name} does not compile: {story}");
    }
    bench.read(&format!("{name}.bc"))
}

/// Returns the reachable definitions of a compiled unit, as text. clang leaves out code that never
/// runs, but keeps its variables in the bitcode.
fn reachable(bench: &Workbench, name: &str) -> String {
    let bitcode = format!("{name}.bc");
    bench.llvm("opt").args(["-passes=globaldce", "-S", "-o", "-", &bitcode]).succeed().stdout
}

/// Number of times that each case occurred, which shows that each case occurred at all.
#[derive(Debug, Default)]
struct Tally {
    imported: usize,
    not_imported: usize,
    own: usize,
    removed: usize,
}

fn check(what: &str, edit: &Edit, before: &Built, after: &Built, tally: &mut Tally) {
    let unit = &edit.program.units[edit.unit].name;
    // An edit that makes a unit larger can move units to other jobs.
    let jobs = |built: &Built| -> Vec<String> {
        before.plans.keys().map(|unit| built.job_of(unit).to_owned()).collect()
    };
    let has_same_jobs = jobs(before) == jobs(after);
    for (name, linked) in &after.linked {
        let is_same = *linked == before.linked[name];
        let has_same_plan = after.plans[name] == before.plans[name];
        let what = format!("{what}: the linked module of {name}");
        let (edited, keeps_decisions) = match &edit.kind {
            EditKind::Value(edited) => (Some(edited), true),
            EditKind::Growth(edited) => (Some(edited), false),
            EditKind::Addition => (None, has_same_jobs),
        };
        if name == after.job_of(unit) {
            match edited {
                Some(edited) if before.removes(unit, edited) && after.removes(unit, edited) => {
                    tally.removed += 1;
                    assert!(is_same, "{what} changed, though the edited definition was removed");
                }
                Some(_) => {
                    tally.own += 1;
                    assert!(!is_same, "{what} did not change");
                }
                None => {}
            }
            continue;
        }
        assert!(!keeps_decisions || has_same_plan, "{what} has another plan");
        let imports =
            |built: &Built| edited.is_some_and(|definition| built.imports(name, unit, definition));
        if imports(before) && imports(after) {
            tally.imported += 1;
            assert!(!is_same, "{what} did not change, though it imports the edited definition");
        } else if has_same_plan {
            tally.not_imported += 1;
            assert!(is_same, "{what} changed, though it does not import the edited definition");
        }
    }
}

#[test]
fn random_edits_change_what_imports_the_edited_definition_and_nothing_else() {
    let (first, count) = (setting("WEFT_SEED", 1), setting("WEFT_EDITED_PROGRAMS", 8));
    let seeds: Vec<u64> = (first..first + count).collect();
    let tally = Mutex::new(Tally::default());
    for_each(&seeds, |&seed| {
        let program = Program::generate(seed);
        let mut random = Choices::new(!seed);
        let options = Options::draw(&mut random);
        let bench = Workbench::new();
        let bitcode: Vec<_> =
            (0..program.units.len()).map(|unit| compile(&bench, &program, unit)).collect();
        let before = Built::link(&bench, &program, &options);
        let names = program.names();
        let code: Vec<_> = names.iter().map(|name| reachable(&bench, name)).collect();
        for number in 0..EDITS {
            let edit = program.edit(&mut random);
            // clang leaves out a local function that its unit does not name.
            if compile(&bench, &edit.program, edit.unit) != bitcode[edit.unit] {
                let after = Built::link(&bench, &program, &options);
                let what = format!("program {seed}, edit {number} ({:?}), {options}", edit.kind);
                if reachable(&bench, names[edit.unit]) == code[edit.unit] {
                    let is_same = before.linked == after.linked;
                    assert!(is_same, "{what}: a linked module changed, though no code did");
                } else {
                    check(&what, &edit, &before, &after, &mut tally.lock().unwrap());
                }
            }
            compile(&bench, &program, edit.unit);
        }
    });
    let tally = tally.into_inner().unwrap();
    println!("{tally:?}");
    let Tally { imported, not_imported, own, removed } = tally;
    let is_met = [imported, not_imported, own, removed].iter().all(|&times| times > 0);
    assert!(is_met || count < 8, "a case was never met: {tally:?}");
}
