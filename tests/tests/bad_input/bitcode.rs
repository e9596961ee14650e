//! Inputs that the import phase refuses before it links: bytes that are no bitcode of this LLVM,
//! for this target, in this data layout, of this architecture, of this module.

use weft_artifact::{Artifact as _, ModuleId, Plan};
use weft_tests::Workbench;

const INPUT: i32 = 3;

/// Returns two planned units, of which `a` imports from `b`.
fn planned() -> Workbench {
    let bench = Workbench::new();
    bench.write("a.ll", include_str!("../../scenarios/call/a.ll"));
    bench.write("b.ll", include_str!("../../scenarios/call/b.ll"));
    bench.prepare(&["a", "b"]);
    bench.thinlink(&["a", "b"], &[]);
    bench
}

/// Runs the import phase of `a`, which must refuse an input with a message that holds all of
/// `parts`.
fn refused(bench: &Workbench, parts: &[&str]) {
    bench.import("a", &["b"]).expect(INPUT).says(parts);
    assert!(!bench.file("a.linked.bc").exists());
}

/// Replaces `old` by `new` in the text of the bitcode of `name`.
fn edit(bench: &Workbench, name: &str, old: &str, new: &str) {
    let file = format!("{name}.ll");
    let text = String::from_utf8(bench.read(&file)).unwrap();
    assert!(text.contains(old), "{text}");
    bench.write(&file, text.replace(old, new));
    bench.assemble_ir(name);
}

#[test]
fn bytes_without_the_magic_number() {
    for name in ["a.bc", "b.bc"] {
        let bench = planned();
        let mut bitcode = bench.read(name);
        bitcode[3] ^= 1;
        bench.write(name, bitcode);
        refused(&bench, &[name, "neither LLVM bitcode, nor an offload binary"]);
    }
}

/// The digits of the version are stored in six bits each, which may start at any bit.
#[test]
fn bitcode_of_an_older_and_of_a_newer_llvm() {
    for (version, age) in [("LLVM15.", "too old for Weft"), ("LLVM23.", "too new for Weft")] {
        for name in ["a.bc", "b.bc"] {
            let bench = planned();
            bench.write(name, weft_tests::with_producer(bench.read(name), version));
            refused(&bench, &[name, "bitcode written by ", version, age, "LLVM 16 to 22"]);
        }
    }
}

#[test]
fn another_target() {
    for name in ["a", "b"] {
        let bench = planned();
        edit(&bench, name, "nvptx64-nvidia-cuda", "nvptx-nvidia-cuda");
        refused(&bench, &[name, "bitcode for the target 'nvptx-nvidia-cuda'", "'nvptx64-"]);
    }
}

#[test]
fn another_data_layout() {
    for name in ["a", "b"] {
        let bench = planned();
        edit(&bench, name, "v16:16", "v16:32");
        refused(
            &bench,
            &[name, "data layout is 'e-p6:32:32", "v16:32", "that of nvptx64 is 'e-p6:"],
        );
    }
}

#[test]
fn another_architecture() {
    for name in ["a", "b"] {
        let bench = planned();
        edit(&bench, name, "\"target-cpu\"=\"sm_90\"", "\"target-cpu\"=\"sm_80\"");
        refused(&bench, &[name, "was compiled for sm_80, and the plan is for sm_90"]);
    }
}

#[test]
fn the_plan_of_another_module() {
    let bench = planned();
    let run = bench.import("a", &["b"]).args(["--module-id", "b"]);
    run.expect(INPUT).says(&["plans/a.plan: the plan is for the module 'a', not for 'b'"]);
    assert!(!bench.file("a.linked.bc").exists());
    bench.import("a", &["b"]).args(["--module-id", "a"]).succeed();
}

#[test]
fn a_plan_that_imports_from_its_own_module() {
    let bench = planned();
    let mut plan = Plan::decode(&bench.read("plans/a.plan")).unwrap();
    plan.imports[0].module_id = ModuleId::new("a").unwrap();
    bench.write("plans/a.plan", plan.encode().unwrap());
    refused(&bench, &["plans/a.plan: the plan of 'a' imports from the module itself"]);
}
