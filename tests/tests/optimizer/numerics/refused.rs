//! Options that come too late, because the compiler has linked libdevice, which chose its
//! instructions.

use weft_tests::Workbench;

const APPROXIMATES: [&str; 2] = ["-Xarch_device", "-mllvm=-nvvm-reflect-add=__CUDA_PREC_SQRT=0"];

/// Returns a bench with a unit that holds the operators and `expression`, which is an expression in
/// `x`.
fn unit(expression: &str, options: &[&str]) -> Workbench {
    let bench = Workbench::new();
    let kernel = "__global__ void k(float *out) { float x = out[0]; out[1] = x * x; out[2] =";
    bench.write("main.cu", format!("{kernel} {expression}; }}\nint main() {{}}\n"));
    bench.compile_cuda("main", options);
    bench.summarize("main");
    bench
}

fn thinlink(bench: &Workbench, option: &str) -> weft_tests::Run {
    bench.weft("thinlink").args(["-o", "plans", option, "main.summary"])
}

#[test]
fn square_roots_that_libdevice_chose() {
    let with = "compile the unit with -Xarch_device -mllvm=-nvvm-reflect-add=__CUDA_PREC_SQRT=";
    let fixed = |value: u32, other: u32| {
        format!(
            "main.summary: its code has prec-sqrt={value} for good, as libdevice was linked by it, \
             and so it cannot have prec-sqrt={other}"
        )
    };
    let bench = unit("sqrtf(x)", &APPROXIMATES);
    thinlink(&bench, "--prec-sqrt=0").succeed();
    let refused = thinlink(&bench, "--prec-sqrt=1").expect(3);
    refused.says(&[&fixed(0, 1), &format!("{with}1")]);
    let bench = unit("sqrtf(x)", &[]);
    thinlink(&bench, "--prec-sqrt=1").succeed();
    thinlink(&bench, "--prec-sqrt=0").expect(3).says(&[&fixed(1, 0), &format!("{with}0")]);
    // This function is not libdevice's, so its instruction is not chosen yet.
    let bench = unit("__builtin_sqrtf(x)", &[]);
    thinlink(&bench, "--prec-sqrt=0").succeed();
    let bench = unit("x", &[]);
    thinlink(&bench, "--prec-sqrt=0").succeed();
}

#[test]
fn denormals_that_libdevice_flushes_or_keeps() {
    let flushes = "-fgpu-flush-denormals-to-zero";
    let bench = unit("rsqrtf(x)", &[flushes]);
    thinlink(&bench, "--ftz=1").succeed();
    let part = "main.summary: its code has ftz=1 for good";
    thinlink(&bench, "--ftz=0").expect(3).says(&[part, "compile the unit without", flushes]);
    let bench = unit("rsqrtf(x)", &[]);
    thinlink(&bench, "--ftz=0").succeed();
    let part = "main.summary: its code has ftz=0 for good";
    thinlink(&bench, "--ftz=1").expect(3).says(&[part, "compile the unit with", flushes]);
    // Instructions that only the code generator chooses can be changed in both directions.
    for (options, option) in [(&[][..], "--ftz=1"), (&[flushes][..], "--ftz=0")] {
        let bench = unit("x / 3", options);
        thinlink(&bench, option).succeed();
        bench.import("main", &["main"]).succeed();
        bench.codegen("main").succeed();
        let ptx = String::from_utf8_lossy(&bench.read("main.ptx")).into_owned();
        assert_eq!(ptx.contains("div.rn.ftz.f32"), option == "--ftz=1", "{ptx}");
        assert_eq!(ptx.contains("mul.ftz.f32"), option == "--ftz=1", "{ptx}");
    }
}

#[test]
fn a_unit_of_which_the_build_says_what_its_code_is_not() {
    let bench = unit("sqrtf(x)", &APPROXIMATES);
    bench
        .weft("summarize")
        .args(["--module-id", "main", "--option", "prec-sqrt=1", "-o", "main.summary", "main.o"])
        .succeed();
    let message = ["main.summary: its code has prec-sqrt=0 for good"];
    bench.weft("thinlink").args(["-o", "plans", "main.summary"]).expect(3).says(&message);
}
