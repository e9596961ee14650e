//! Options of the inliner in the form in which a user gives them.

use weft_tests::Workbench;

use crate::codegen;

/// Returns a kernel with a call that is worth inlining and makes the kernel larger.
fn module() -> String {
    let stores = "  store volatile i32 1, ptr %p\n".repeat(200);
    format!(
        "define internal void @callee(ptr %p) #0 {{\n{stores}  ret void\n}}
define ptx_kernel void @kernel(ptr %p) #0 {{
  call void @callee(ptr %p)\n  call void @callee(ptr %p)\n  ret void\n}}\n"
    )
}

#[test]
fn levels_of_fast_compilation_inline_less_and_less() {
    assert_eq!(codegen(&module(), &[]).calls(), 0);
    for (level, calls) in [
        ("-O0", 2),
        ("-O1", 0),
        ("-O2", 0),
        ("-O3", 0),
        ("-Ofast-compile=min", 0),
        ("-Ofast-compile=mid", 0),
        ("-Ofast-compile=max", 2),
    ] {
        assert_eq!(codegen(&module(), &[level]).calls(), calls, "{level}");
    }
    // The level `mid` divides the budget by four, and a kernel may grow by eight times the result.
    let limits = ["-Ofast-compile=mid", "--inline-budget=800"];
    assert_eq!(codegen(&module(), &limits).calls(), 1);
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    let bench = Workbench::new();
    for options in [
        &["--aggressive-inline", "--inline-budget=7"][..],
        &["--nv-inline-all", "--disable-inlining"],
        &["--inline-model=other"],
        &["-Ofast-compile=most"],
    ] {
        let run = bench.weft("backend-job").args(["codegen", "x.bc", "-o", "x.ptx"]);
        run.args(options.iter().copied()).expect(2);
    }
}

#[test]
fn without_the_option_nothing_is_printed() {
    let bench = Workbench::new();
    bench.write("unit.ll", format!("{}{}", crate::HEAD, module()));
    bench.assemble_ir("unit");
    let run = bench.weft("backend-job").args(["codegen", "unit.bc", "-o", "unit.ptx"]);
    let outcome = run.succeed();
    assert_eq!((outcome.stdout, outcome.stderr), (String::new(), String::new()));
}
