//! Bad input gives one clear message that names the file, the documented exit code, and no output.

use weft_tests::{Outcome, Run, Workbench};

/// Exit code for a wrong input.
const INPUT: i32 = 3;
/// Exit code for a file that cannot be read or a tool that is missing.
const ENVIRONMENT: i32 = 4;
/// Exit code for a tool that failed.
const TOOL: i32 = 5;

/// PTX of a kernel.
pub(crate) const KERNEL: &str =
    ".version 8.8\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n";

const CALLEE: &str = include_str!("../../scenarios/call/b.ll");
const CALLER: &str = include_str!("../../scenarios/call/a.ll");

/// Returns two units, compiled and summarized, of which `a` calls a function of `b`.
fn two_units() -> Workbench {
    let bench = Workbench::new();
    bench.write("a.ll", CALLER);
    bench.write("b.ll", CALLEE);
    bench.prepare(&["a", "b"]);
    bench
}

/// Runs a command that must fail with `code`, print one line that holds all of `parts`, and write
/// no `output`.
fn refused(bench: &Workbench, run: &Run, code: i32, parts: &[&str], output: &str) -> Outcome {
    let before = names(bench);
    let outcome = run.expect(code);
    outcome.says(parts);
    assert!(!bench.file(output).exists(), "{output} was written");
    assert_eq!(names(bench), before, "something was written");
    let errors = outcome.stderr.lines().filter(|line| line.contains("error:")).count();
    assert_eq!(errors, 1, "{}", outcome.stderr);
    outcome
}

fn names(bench: &Workbench) -> Vec<std::ffi::OsString> {
    let entries = std::fs::read_dir(bench.path()).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
    names.sort();
    names
}

fn summarize(bench: &Workbench, input: &str) -> Run {
    bench.weft("summarize").args(["--module-id", "new", "-o", "new.summary", input])
}

#[test]
fn truncated_bitcode() {
    let bench = two_units();
    let bitcode = bench.read("a.bc");
    for length in [3, 40, bitcode.len() / 2, bitcode.len() - 4] {
        bench.write("cut.bc", &bitcode[..length]);
        refused(&bench, &summarize(&bench, "cut.bc"), INPUT, &["cut.bc: "], "new.summary");
    }
}

#[test]
fn truncated_object() {
    let bench = two_units();
    let object = bench.read("a.o");
    for length in [10, 64, object.len() / 2, object.len() - 1] {
        bench.write("cut.o", &object[..length]);
        refused(&bench, &summarize(&bench, "cut.o"), INPUT, &["cut.o: "], "new.summary");
    }
}

#[test]
fn a_text_file_in_place_of_a_unit() {
    let bench = Workbench::new();
    bench.write("a.txt", "hello\n");
    let parts = ["a.txt: neither LLVM bitcode, nor an offload binary, nor a relocatable object"];
    refused(&bench, &summarize(&bench, "a.txt"), INPUT, &parts, "new.summary");
}

#[test]
fn a_unit_that_is_not_there() {
    let bench = Workbench::new();
    let parts = ["cannot read none.o", "No such file"];
    refused(&bench, &summarize(&bench, "none.o"), ENVIRONMENT, &parts, "new.summary");
}

#[test]
fn wrong_triple() {
    let bench = Workbench::new();
    bench.write("other.ll", "target triple = \"amdgcn-amd-amdhsa\"\n");
    bench.assemble_ir("other");
    let parts = ["other.bc: bitcode for the target 'amdgcn-amd-amdhsa'", "nvptx64-"];
    refused(&bench, &summarize(&bench, "other.bc"), INPUT, &parts, "new.summary");
}

#[test]
fn wrong_llvm_version() {
    let bench = two_units();
    let bitcode = weft_tests::with_producer(bench.read("a.bc"), "LLVM15.");
    bench.write("old.bc", bitcode);
    let parts =
        ["old.bc: bitcode written by LLVM15.", "LLVM 16 to 22", "compile the unit with clang"];
    refused(&bench, &summarize(&bench, "old.bc"), INPUT, &parts, "new.summary");
}

#[test]
fn a_summary_of_another_format_version() {
    let bench = two_units();
    let mut summary = bench.read("b.summary");
    summary[8] = 99;
    bench.write("b.summary", summary);
    let run = bench.weft("thinlink").args(["-o", "plans", "a.summary", "b.summary"]);
    let parts = ["b.summary: summary of format version 99", "this program reads version "];
    refused(&bench, &run, INPUT, &parts, "plans");
}

#[test]
fn a_plan_of_another_format_version() {
    let bench = two_units();
    bench.thinlink(&["a", "b"], &[]);
    let mut plan = bench.read("plans/a.plan");
    plan[8] = 99;
    bench.write("plans/a.plan", plan);
    let parts = ["plans/a.plan: plan of format version 99"];
    refused(&bench, &bench.import("a", &["b"]), INPUT, &parts, "a.linked.bc");
}

#[test]
fn two_modules_with_one_id() {
    let bench = two_units();
    std::fs::copy(bench.file("a.summary"), bench.file("again.summary")).unwrap();
    let run = bench.weft("thinlink").args(["-o", "plans", "a.summary", "again.summary"]);
    refused(&bench, &run, INPUT, &["a.summary", "again.summary", "'a'"], "plans");
}

#[test]
fn an_import_source_that_was_not_given() {
    let bench = two_units();
    bench.thinlink(&["a", "b"], &[]);
    let parts = ["plans/a.plan: the plan imports from 'b', and no --import gives its code"];
    refused(&bench, &bench.import("a", &[]), INPUT, &parts, "a.linked.bc");
}

#[test]
fn an_import_source_that_is_not_there() {
    let bench = two_units();
    bench.thinlink(&["a", "b"], &[]);
    std::fs::remove_file(bench.file("b.bc")).unwrap();
    let parts = ["cannot read b.bc", "No such file"];
    refused(&bench, &bench.import("a", &["b"]), ENVIRONMENT, &parts, "a.linked.bc");
}

#[test]
fn bitcode_that_is_not_what_the_plan_was_made_from() {
    let bench = two_units();
    bench.thinlink(&["a", "b"], &[]);
    std::fs::copy(bench.file("a.bc"), bench.file("b.bc")).unwrap();
    let parts = ["b.bc: the plan names 'callee', which the module does not define"];
    refused(&bench, &bench.import("a", &["b"]), INPUT, &parts, "a.linked.bc");
}

#[test]
fn ptx_that_ptxas_refuses() {
    let bench = Workbench::new();
    bench.write("k.ptx", ".version 8.8\n.target sm_90\n.address_size 64\nnonsense\n");
    let outcome = refused(&bench, &bench.assemble("k"), TOOL, &["ptxas", "failed"], "k.cubin");
    assert!(outcome.stderr.contains("line 4"), "{}", outcome.stderr);
}

#[test]
fn a_ptxas_that_is_not_there() {
    let bench = Workbench::new();
    bench.write("k.ptx", KERNEL);
    let files = ["k.ptx", "-o", "k.cubin"];
    let run = bench.weft("backend-job").args(["assemble", "--ptxas", "/nowhere/ptxas"]).args(files);
    refused(
        &bench,
        &run,
        ENVIRONMENT,
        &["there is no /nowhere/ptxas", "`weft doctor` says what"],
        "k.cubin",
    );
}

#[test]
fn a_ptxas_that_reports_success_and_writes_nothing() {
    let bench = Workbench::new();
    bench.write("k.ptx", KERNEL);
    let files = ["k.ptx", "-o", "k.cubin"];
    let run = bench.weft("backend-job").args(["assemble", "--ptxas", "/bin/true"]).args(files);
    refused(&bench, &run, TOOL, &["reported success and wrote no module.cubin"], "k.cubin");
}

#[test]
fn text_in_place_of_ptx() {
    let bench = Workbench::new();
    bench.write("k.ptx", "hello\n");
    refused(&bench, &bench.assemble("k"), INPUT, &["k.ptx: not PTX"], "k.cubin");
}

#[test]
fn an_absolute_module_id_is_refused() {
    let bench = two_units();
    let run =
        bench.weft("summarize").args(["--module-id", "/abs/a.cu", "-o", "new.summary", "a.o"]);
    let outcome = run.expect(2);
    outcome.says(&["'/abs/a.cu' cannot be a module id", "absolute path"]);
    assert!(!bench.file("new.summary").exists());
}
