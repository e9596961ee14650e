//! Units of the clangs that people have: 16 to 22, alone and in one program, with the ptxas of CUDA
//! 12.6. The linked images have the facts of the same programs linked plainly.

use weft_tests::corpus::{self, Program};
use weft_tests::oracle::{Failure, check_transport_by, run};
use weft_tests::{Compiler, Run, Workbench};

const CLANG_16: Compiler = Compiler::before(16);
const CLANG_17: Compiler = Compiler::before(17);
const CLANG_18: Compiler = Compiler::before(18);
const CLANG_19: Compiler = Compiler::before(19);
const CLANG_20: Compiler = Compiler::before(20);
const CLANG_21: Compiler = Compiler::before(21);
const CLANG_22: Compiler = Compiler::before(22);

/// Programs of the corpus, each about something that bitcode or objects of older clangs say in
/// another way: kernels and their bounds, intrinsics, local symbols, registered variables, virtual
/// tables, parameters.
const PROGRAMS: [&str; 10] = [
    "bounds-launch",
    "calls-deep-chain",
    "cooperative-groups",
    "device-atomics",
    "launch-static-kernels",
    "launch-table-constexpr",
    "launch-template-both-units",
    "math-library-tables",
    "params-by-value",
    "recursion-across-units",
];

fn programs(names: &[&str]) -> Vec<Program> {
    let mut programs = corpus::programs();
    programs.retain(|program| names.contains(&program.name.as_str()));
    assert_eq!(programs.len(), names.len(), "programs of the corpus");
    programs
}

fn are_right(names: &[&str], compilers: &[Compiler]) {
    let failures: Vec<Failure> = run(&programs(names), |program| program.check_by(compilers));
    let names: Vec<_> = failures.iter().map(|failure| failure.program.as_str()).collect();
    assert!(names.is_empty(), "{compilers:?}: {names:#?}");
}

#[test]
fn ten_programs_of_clang_19() {
    are_right(&PROGRAMS, &[CLANG_19]);
}

#[test]
fn nine_programs_of_clang_16() {
    // It refuses the header of cooperative groups of CUDA 12.6.
    let names: Vec<_> = PROGRAMS.into_iter().filter(|&name| name != "cooperative-groups").collect();
    are_right(&names, &[CLANG_16]);
}

#[test]
fn ten_programs_of_clang_17() {
    are_right(&PROGRAMS, &[CLANG_17]);
}

#[test]
fn ten_programs_of_clang_18() {
    are_right(&PROGRAMS, &[CLANG_18]);
}

#[test]
fn ten_programs_of_clang_20() {
    are_right(&PROGRAMS, &[CLANG_20]);
}

#[test]
fn ten_programs_of_clang_21() {
    are_right(&PROGRAMS, &[CLANG_21]);
}

/// The entries of clang 20 have the form of later ones, in the section of earlier ones.
#[test]
fn programs_of_several_clangs() {
    let names = ["bounds-launch", "calls-deep-chain", "launch-template-both-units"];
    are_right(&names, &[CLANG_20, CLANG_19, CLANG_22]);
    are_right(&names, &[CLANG_16, CLANG_20, CLANG_18]);
}

#[test]
fn the_example_of_clang_19() {
    check_transport_by(&[CLANG_19]).unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn the_example_of_six_clangs() {
    let compilers = [CLANG_21, CLANG_17, CLANG_20, CLANG_18, CLANG_16, CLANG_22];
    check_transport_by(&compilers).unwrap_or_else(|failure| panic!("{failure}"));
}

const UNIT: &str = "__global__ void k(float *p) { *p = sinf(*p); }\n\
                    void host(float *p) { k<<<1, 1>>>(p); }\n";

/// Returns a planned unit that asks for PTX 8.8.
fn of_a_newer_ptx() -> Workbench {
    let bench = Workbench::new();
    bench.write("a.cu", UNIT);
    bench.prepare(&["a"]);
    bench.thinlink(&["a"], &[]);
    bench.import("a", &["a"]).succeed();
    bench
}

fn version_of(ptx: &[u8]) -> String {
    let text = String::from_utf8_lossy(ptx);
    text.lines().find_map(|line| line.strip_prefix(".version ")).unwrap().to_owned()
}

#[test]
fn ptx_is_no_newer_than_ptxas_takes() {
    let bench = of_a_newer_ptx();
    bench.codegen("a").succeed();
    assert_eq!(version_of(&bench.read("a.ptx")), "8.8", "without a limit");
    // ptxas of CUDA 12.6 is asked, and the first result is not taken for the other: the limit is in
    // the key.
    for (root, version) in [
        (Compiler::NEWEST.cuda_root(), "8.8"),
        (CLANG_19.cuda_root(), "8.5"),
        (Compiler::NEWEST.cuda_root(), "8.8"),
    ] {
        let run = bench.weft("backend-job").args(["run", "--plan", "plans/a.plan"]);
        let run = run.args(["--module", "a.bc", "--emit", "ptx,cubin", "-o", "out.x"]);
        let run = run.args(["--cache", "all", "--ptxas"]).arg(root.join("bin/ptxas"));
        run.succeed();
        assert_eq!(version_of(&bench.read("out.ptx")), version, "{}", root.display());
    }
    bench.codegen("a").arg("--newest-ptx=8.1").succeed();
    assert_eq!(version_of(&bench.read("a.ptx")), "8.1");
    let says = ["sm_90 needs PTX 7.8, and ptxas takes 7.0 at most"];
    bench.codegen("a").arg("--newest-ptx=7.0").expect(3).says(&says);
}

/// Pointers to shared memory have 32 bits in the layout of one unit.
#[test]
fn another_layout_of_an_older_clang_is_refused() {
    let bench = Workbench::new();
    bench.write("a.cu", UNIT);
    let clang = Run::new(CLANG_19.clang_cxx().0, bench.path());
    let cuda = CLANG_19.cuda_root().display();
    clang
        .args(["--cuda-gpu-arch=sm_90", &format!("--cuda-path={cuda}"), "-fgpu-rdc", "-O2"])
        .args(["-Wno-unknown-cuda-version", "--cuda-device-only", "-emit-llvm", "-c"])
        .args(["-Xclang", "-mllvm", "-Xclang", "--nvptx-short-ptr", "-Xclang"])
        .args(["-target-feature", "-Xclang", "+ptx85", "-fcuda-short-ptr", "a.cu", "-o", "a.bc"])
        .succeed();
    let summarize = bench.weft("summarize").args(["--module-id", "a", "-o", "a.summary", "a.bc"]);
    summarize.expect(3).says(&["a.bc: the module's data layout is 'e-p3:32:32"]);
}
