//! Files of Weft's own, and lists, that are damaged or contradict each other.

use weft_tests::Workbench;

use crate::files::KERNEL;
use crate::messages::{CALLEE, INPUT, job, says, thinlink, two_units, weft};

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
fn files_that_are_no_text() {
    let bench = two_units();
    bench.write("order", [0xff, b'\n']);
    let host = ["--has-global-host-info", "--exports-host-symbols"];
    for option in ["--link-order", "--archive-members", "--hidden-host-symbols"] {
        let options = [&host[..], &[option, "order", "a.summary", "b.summary"]].concat();
        says(&thinlink(&bench, &options), INPUT, "order is no text: invalid utf-8 sequence");
    }
}

/// Another version of Weft with the same number could write such a plan: the digest is right.
#[test]
fn a_plan_whose_record_means_nothing() {
    let bench = two_units();
    let plan = bench.read("plans/a.plan");
    let record = b"\xff\xff\xff\xff\xff";
    let forged = [&plan[..12], weft_artifact::digest(record).as_bytes(), record].concat();
    bench.write("p", forged);
    let import = job(&bench, &["import", "--plan", "p", "--module", "a.bc", "-o", "new"]);
    says(&import, INPUT, "p: malformed plan: ");
}

#[test]
fn units_for_two_architectures() {
    let bench = two_units();
    bench.write("c.ll", CALLEE.replace("sm_90", "sm_80"));
    bench.assemble_ir("c");
    let summarize = bench.weft("summarize").args(["--module-id", "c", "-o", "c.summary", "c.bc"]);
    summarize.succeed();
    let link = thinlink(&bench, &["a.summary", "c.summary"]);
    says(&link, INPUT, "a.summary and c.summary differ in architecture: 'sm_90' and 'sm_80'");
}

#[test]
fn modules_that_a_plan_needs() {
    let bench = two_units();
    bench.write("modules", "a\ta.bc\n");
    let stage = ["stage", "--plans", "plans", "--module-map", "modules", "-o", "new"];
    let message = "plans/a.plan: the plan imports from 'b', which modules lacks";
    says(&job(&bench, &stage), INPUT, message);
    // A cubin is device code of no use to a plan.
    bench.write("k.ptx", KERNEL);
    bench.assemble("k").succeed();
    let import = ["import", "--plan", "plans/b.plan", "--module", "k.cubin", "-o", "new"];
    says(&job(&bench, &import), INPUT, "k.cubin: it holds no device bitcode");
}

#[test]
fn two_thin_links_of_one_architecture() {
    let bench = two_units();
    bench.write("list", "");
    let manifest = ["--manifest", "plans/manifest.json"];
    let report = weft(&bench, &["report", "list"]).args(manifest).args(manifest);
    says(&report, INPUT, "thin link for sm_90: there are two manifests for it");
}

#[test]
fn a_dependency_file_without_a_rule() {
    let bench = Workbench::new();
    bench.write("text.d", "text");
    // A program whose device code is missing, so that the files that it was linked from are read.
    bench.write("unit.cu", "__global__ void kernel(int *p) { *p = 1; }\n");
    bench.compile("unit");
    let linker = bench.llvm("clang++").args(["-pie", "-nostdlib", "unit.o", "-o", "linked"]);
    linker.arg("-Wl,--unresolved-symbols=ignore-all").succeed();
    let guard = weft(&bench, &["guard", "linked", "--dependency-file", "text.d"]);
    says(&guard, INPUT, "text.d: no rule of Make");
}
