//! Bitcode and cubins that cannot be processed.

use weft_tests::{Workbench, tools};

use crate::files::KERNEL;
use crate::messages::containers::outside;
use crate::messages::{CALLEE, CALLER, EMPTY, INPUT, TOOL, job, says, two_units};

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
fn modules_that_llvm_refuses() {
    let bench = two_units();
    let codegen = |module: &str| job(&bench, &["codegen", "-o", "new.ptx", module]);
    // Options that no version of Weft writes.
    let flag = "!llvm.module.flags = !{!9}\n!9 = !{i32 1, !\"weft-options\", !\"speed=1\"}\n";
    bench.write("options.ll", format!("{CALLER}\n{flag}"));
    bench.assemble_ir("options");
    says(&codegen("options.bc"), INPUT, "options.bc: code generation failed: ");
    bench.write("older.ll", CALLEE.replace("sm_90", "sm_80"));
    bench.assemble_ir("older");
    let message = "older.bc: import failed: it is for sm_80, and the modules before it are for";
    says(&job(&bench, &["combine", "-o", "new", "a.bc", "older.bc"]), INPUT, message);
}

/// ptxas's own cubin is damaged on its way, in what only a reader of kernels reads.
#[test]
fn a_cubin_that_ptxas_did_not_finish() {
    let bench = Workbench::new();
    bench.write("k.ptx", KERNEL);
    let ptxas = tools().cuda("ptxas");
    let options = ["-arch=sm_90", "-c", "k.ptx", "-o", "k.cubin"];
    weft_tests::Run::new(ptxas, bench.path()).args(options).succeed();
    bench.write("damaged.cubin", outside(&bench.read("k.cubin"), ".nv.info"));
    let with = |cubin: &str, options: &[&str], message: &str| {
        let cubin = bench.file(cubin).display().to_string();
        bench.write_script("ptxas", &format!("{COPY} {cubin} \"$it\"; last=$it; done"));
        let assemble = job(&bench, &["assemble", "--ptxas=./ptxas", "k.ptx", "-o", "new.cubin"]);
        says(&assemble.args(options.iter().copied()), TOOL, message);
    };
    let parts = ["--whole-kernels=false", "--clone-functions=false"];
    with("damaged.cubin", &parts, "ptxas made a cubin that cannot be read: ");
    with("k.cubin", &[], "./ptxas: the cubin is no extensible whole program");
}

const COPY: &str = "for it in \"$@\"; do [ \"$last\" = --output-file ] && cp";
