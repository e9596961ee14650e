//! Options of the inliner in the form in which a user gives them.

use weft_tests::Workbench;

use crate::inlining::codegen;

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
        ("-Ofast-compile=0", 0),
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
fn options_of_another_model_are_refused_with_the_reason() {
    let bench = Workbench::new();
    let refuse = |options: &[&str], line: &str| {
        let run = bench.weft("backend-job").args(["codegen", "x.bc", "-o", "x.ptx"]);
        run.args(options.iter().copied()).expect(2).says(&[line]);
    };
    for option in [
        "--inline-budget=1",
        "--inline-total-budget=1",
        "--inline-adj-budget=1",
        "--aggressive-inline",
        "--inline-switchctrl=1",
        "--inline-numswitchfunc=1",
        "--inline-maxswitchcases=1",
    ] {
        let name = option.split('=').next().unwrap_or_default();
        let line = format!("error: {name} would do nothing: the model llvm goes by thresholds");
        refuse(&["--inline-model=llvm", option], &line);
    }
    for model in ["--inline-model=gpu", "--inline-model=nvidia"] {
        for option in [
            "--inline-threshold=1",
            "--inlinehint-threshold=1",
            "--inlinecold-threshold=1",
            "--inline-cold-callsite-threshold=1",
            "--hot-callsite-threshold=1",
            "--locally-hot-callsite-threshold=1",
            "--inline-instr-cost=1",
            "--inline-call-penalty=1",
            "--inline-memaccess-cost=1",
            "--inline-cost-full",
            "--inline-deferral",
            "--inline-enable-cost-benefit-analysis",
            "--inline-savings-multiplier=1",
            "--inline-savings-profitable-multiplier=1",
            "--inline-size-allowance=1",
        ] {
            let name = option.split('=').next().unwrap_or_default();
            let line =
                format!("error: {name} would do nothing: it is for --inline-model=llvm alone");
            refuse(&[model, option], &line);
        }
    }
    refuse(
        &["--inline-model=nvidia", "--function-inline-cost-multiplier=2"],
        "does not look at recursion",
    );
}

#[test]
fn calls_that_stay_say_why_in_the_optimized_module() {
    let bench = Workbench::new();
    let ir = module().replace("void @callee(ptr %p) #0", "void @callee(ptr %p) #1");
    bench.write("unit.ll", format!("{}{ir}", crate::inlining::HEAD));
    bench.assemble_ir("unit");
    let optimize = |options: &[&str]| {
        let run = bench.weft("backend-job").args(["codegen", "unit.bc", "-o", "unit.opt.bc"]);
        run.args(options.iter().copied())
    };
    let remark = "\"inline-remark\"=\"attributes: noinline function attribute\"";
    for model in ["gpu", "nvidia", "llvm"] {
        let model = format!("--inline-model={model}");
        optimize(&["--emit=bc", &model]).succeed();
        assert!(!bench.text_of("unit.opt.bc").contains("inline-remark"), "{model}");
        optimize(&["--emit=bc", "--inline-remark-attribute", &model]).succeed();
        let text = bench.text_of("unit.opt.bc");
        let expected =
            if model.ends_with("nvidia") { "\"inline-remark\"=\"noinline\"" } else { remark };
        assert!(text.contains(expected), "{model}: {text}");
    }
    optimize(&["--inline-remark-attribute"]).expect(2).says(&["add --emit bc"]);
}

#[test]
fn without_the_option_nothing_is_printed() {
    let bench = Workbench::new();
    bench.write("unit.ll", format!("{}{}", crate::inlining::HEAD, module()));
    bench.assemble_ir("unit");
    let run = bench.weft("backend-job").args(["codegen", "unit.bc", "-o", "unit.ptx"]);
    let outcome = run.succeed();
    assert_eq!((outcome.stdout, outcome.stderr), (String::new(), String::new()));
}
