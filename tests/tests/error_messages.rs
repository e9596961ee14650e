//! Mistakes with the message that each gets. `docs/errors.md` names these tests.

use weft_tests::{Run, Workbench, tools};

/// Exit code for a wrong command line.
const USAGE: i32 = 2;
/// Exit code for a wrong input.
const INPUT: i32 = 3;
/// Exit code for a file that cannot be read or written.
const ENVIRONMENT: i32 = 4;

const CALLEE: &str = include_str!("../scenarios/call/b.ll");
const CALLER: &str = include_str!("../scenarios/call/a.ll");
/// The smallest bitcode for a GPU.
const EMPTY: &str = "target triple = \"nvptx64-nvidia-cuda\"\n";

/// Returns two units, of which `a` calls a function of `b`, with the plans of both.
fn two_units() -> Workbench {
    let bench = Workbench::new();
    bench.write("a.ll", CALLER);
    bench.write("b.ll", CALLEE);
    bench.prepare(&["a", "b"]);
    bench.thinlink(&["a", "b"], &[]);
    bench
}

/// Runs a command that must fail with `code` and say `message`.
fn says(run: &Run, code: i32, message: &str) {
    run.expect(code).says(&[message]);
}

fn thinlink(bench: &Workbench, words: &[&str]) -> Run {
    bench.weft("thinlink").args(["-o", "new"]).args(words.iter().copied())
}

fn job(bench: &Workbench, words: &[&str]) -> Run {
    bench.weft("backend-job").args(words.iter().copied())
}

#[test]
fn summaries_that_are_damaged() {
    let bench = two_units();
    let good = bench.read("b.summary");
    let mut changed = good.clone();
    if let Some(last) = changed.last_mut() {
        *last ^= 1;
    }
    for (content, message) in [
        (
            &changed[..],
            "cannot use bad.summary: damaged summary: its content does not match its digest",
        ),
        (&good[..12], "bad.summary: truncated summary: 12 bytes end inside the header"),
        (b"hello, world", "not a Weft summary: the file does not start with its magic number"),
    ] {
        bench.write("bad.summary", content);
        says(&thinlink(&bench, &["a.summary", "bad.summary"]), INPUT, message);
    }
}

#[test]
fn nothing_to_work_on() {
    let bench = Workbench::new();
    bench.write("empty", "");
    says(&thinlink(&bench, &["@empty"]), USAGE, "no summaries: the response files are empty");
    let combine = job(&bench, &["combine", "-o", "new", "@empty"]);
    says(&combine, USAGE, "no modules: the response files are empty");
}

#[test]
fn a_program_in_place_of_an_object() {
    let bench = Workbench::new();
    let summarize = bench.weft("summarize").args(["--module-id", "m", "-o", "new", "/bin/true"]);
    says(&summarize, INPUT, "/bin/true: a linked file, expected a relocatable object");
}

#[test]
fn files_that_are_no_text() {
    let bench = two_units();
    bench.write("order", [0xff, b'\n']);
    let link = thinlink(&bench, &["--link-order", "order", "a.summary", "b.summary"]);
    says(&link, INPUT, "order is no text: invalid utf-8 sequence");
}

#[test]
fn settings_that_cannot_be_had() {
    let bench = two_units();
    let link = || thinlink(&bench, &["a.summary", "b.summary"]);
    let folder = link().variable("WEFT_CONFIG", bench.path());
    says(&folder, ENVIRONMENT, "cannot read the settings in /");
    bench.write("weft.toml", "[remote]\ntimeout = 0\n");
    let zero = link().variable("WEFT_CONFIG", bench.file("weft.toml"));
    let zero = zero.variable("WEFT_REMOTE_EXECUTOR", "grpc://localhost:1");
    let message = "0 in the settings file, for what WEFT_REMOTE_TIMEOUT sets, is no whole number";
    says(&zero, USAGE, message);
    let header = ["--remote-header=key", "--remote-executor=grpc://localhost:1", "a.summary"];
    says(&thinlink(&bench, &header), USAGE, "a remote header must be given as NAME=VALUE");
    let nowhere = Run::new("env", bench.path()).args(["-i"]).arg(tools().weft("backend-job"));
    let message = "there is no cache: neither --cache-dir nor HOME says where it is";
    says(&nowhere.args(["cache", "stats"]), USAGE, message);
}

#[test]
fn bitcode_that_no_code_is_generated_from() {
    let bench = two_units();
    let codegen = |module: &str| job(&bench, &["codegen", "-o", "new.ptx", module]);
    bench.write("empty.ll", EMPTY);
    bench.assemble_ir("empty");
    let message =
        "empty.bc: the module names no architecture: it is no linked module of the import phase";
    says(&codegen("empty.bc"), INPUT, message);
    bench.write("newer.ll", CALLER.replace("sm_90\"", "sm_12\"").replace("+sm_90", "+sm_12"));
    bench.assemble_ir("newer");
    says(&codegen("newer.bc"), INPUT, "LLVM 22 does not know the architecture 'sm_12', but sm_100");
    bench.write("text.bc", "hello");
    says(&codegen("text.bc"), INPUT, "text.bc: not LLVM bitcode: the magic number is missing");
    bench.write("cut.bc", &bench.read("a.bc")[..100]);
    says(&codegen("cut.bc"), INPUT, "cut.bc: malformed bitcode: can't skip to bit");
}

#[test]
fn ptxas_and_its_files() {
    let bench = Workbench::new();
    bench.write("k.ptx", ".version 8.8\n.target sm_90\n.address_size 64\n");
    let assemble = |option: &str| job(&bench, &["assemble", option, "-o", "new", "k.ptx"]);
    let missing = assemble("--ptxas=/nowhere");
    let message = "there is no /nowhere: --ptxas names NVIDIA's assembler, of CUDA 12 or 13; ";
    says(&missing, ENVIRONMENT, message);
    let ptxas = format!("--ptxas={}", tools().cuda("ptxas").display());
    let no_file = assemble(&ptxas).arg("--Xptxas=--options-file");
    says(&no_file, USAGE, "--Xptxas: --options-file takes a file, and none follows");
}

#[test]
fn split_code_with_whole_modules() {
    let bench = two_units();
    let files = ["--plan", "plans/a.plan", "--module", "a.bc", "--import", "b=b.bc"];
    let run = job(&bench, &["run", "--emit=linked,ptx", "--split=2", "-o", "a{part}.x"]);
    let message =
        "the linked and the optimised module are never split: leave {part} out of the name";
    says(&run.args(files), USAGE, message);
}

#[test]
fn images_and_reports() {
    let bench = Workbench::new();
    bench.write("list", "");
    let register = job(&bench, &["register", "-o", "new.c", "a\"b.fatbin"]);
    says(&register, USAGE, "the image's name must be text without \" and \\");
    let limit = job(&bench, &["report", "list", "--fail-if=speed>1"]);
    says(&limit, USAGE, "--fail-if ");
}
