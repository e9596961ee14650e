//! The Makefiles of `examples/make`, for nvcc and for clang: each builds the program with every
//! kernel, runs nothing where nothing changed, and after an edit the jobs that the edit reaches.

use std::ffi::OsString;

use dev_toolchain::Scope;
use weft_tests::{Run, Workbench, device_options, pages, tools, workspace_root};

/// Path of the Makefile for nvcc.
const NVCC: &str = "examples/make/Makefile";
/// Path of the Makefile for clang.
const CLANG: &str = "examples/make/clang.mk";

/// Returns a call of Make in the folder, which finds the tools where the Makefiles want them.
fn make(bench: &Workbench) -> Run {
    let (clang, ptxas) = (tools().llvm("clang"), tools().cuda("ptxas"));
    let folders = [clang.parent().unwrap(), ptxas.parent().unwrap(), tools().executables()];
    let mut path = OsString::new();
    for folder in folders {
        path.push(folder);
        path.push(":");
    }
    path.push("/usr/bin:/bin");
    let cuda = format!("CUDA={}", tools().cuda_root().display());
    Run::new("/usr/bin/make", bench.path()).args(["-j2".to_owned(), cuda]).variable("PATH", path)
}

/// Returns the units that a phase of `backend-job` ran for.
fn ran<'output>(output: &'output str, phase: &str) -> Vec<&'output str> {
    let start = format!("backend-job {phase} ");
    let units = output.lines().filter_map(|line| line.strip_prefix(&start)).map(|arguments| {
        let word = arguments.split(' ').find(|word| word.starts_with("build/")).unwrap();
        word.trim_start_matches("build/")
            .trim_start_matches("plans/src/")
            .trim_start_matches("src/")
    });
    units.map(|unit| unit.split('.').next().unwrap()).collect()
}

/// The Makefile for nvcc.
fn of_nvcc() -> String {
    std::fs::read_to_string(workspace_root().join(NVCC)).unwrap()
}

/// The Makefile for clang.
fn of_clang() -> String {
    std::fs::read_to_string(workspace_root().join(CLANG)).unwrap()
}

/// Builds the example and edits a line that no other unit takes in, after which the phases of
/// `backend-job` run again for `expected` alone.
fn build_and_edit(makefile: String, expected: &str) {
    let bench = Workbench::new();
    dev_builds::copy_sources(&workspace_root().join("examples/transport"), bench.path()).unwrap();
    bench.write("Makefile", makefile);

    let clean = make(&bench).succeed();
    assert_eq!(ran(&clean.stdout, "import").len(), 31, "{}", clean.stdout);
    let toolchain = dev_toolchain::ensure(workspace_root(), Scope::Builds).unwrap();
    let image = dev_sass::read(&toolchain, &bench.file("build/image.cubin")).unwrap();
    assert_eq!(image.kernels.len(), 10, "{:?}", image.kernels.keys());

    let idle = make(&bench).succeed();
    assert!(idle.stdout.contains("'build/transport' is up to date"), "{}", idle.stdout);

    // The comment marks the line.
    let source = String::from_utf8(bench.read("src/tally.cu")).unwrap();
    let (before, after) = source.split_once("// private-edit:").unwrap();
    bench.write(
        "src/tally.cu",
        format!("{before}// private-edit:{}", after.replacen("= ", "= 1 + ", 1)),
    );
    let edited = make(&bench).succeed();
    assert_eq!(ran(&edited.stdout, "codegen"), [expected], "{}", edited.stdout);
    assert!(make(&bench).succeed().stdout.contains("is up to date"));
}

#[test]
fn the_makefile_of_the_readme_builds_the_example_and_no_more_than_it_must() {
    build_and_edit(of_nvcc(), "tally");
}

#[test]
fn the_makefile_for_clang_builds_the_example_and_no_more_than_it_must() {
    build_and_edit(of_clang(), "tally");
}

#[test]
fn builds_by_hand_give_the_options_of_the_packages() {
    let page = "docs/options.md";
    device_options::check(page, &pages::block(page, "console", "clang++"));
    for file in [CLANG, "dev/builds/src/rules/weft_clang.ninja"] {
        device_options::check(file, &std::fs::read_to_string(workspace_root().join(file)).unwrap());
    }
}

#[test]
fn square_roots_are_rounded_as_nvcc_rounds_them() {
    const ROUNDS: &str = " \\\n  -Xarch_device -mllvm=-nvvm-reflect-add=__CUDA_PREC_SQRT=1";
    let bench = Workbench::new();
    dev_builds::copy_sources(&workspace_root().join("examples/make"), bench.path()).unwrap();
    for name in ["one", "two"] {
        let unit = format!(
            "__global__ void {name}(float *p) {{ p[0] = sqrtf(p[1]); }}\n\
             void launch_{name}(float *p) {{ {name}<<<1, 1>>>(p); }}\n"
        );
        bench.write(&format!("src/{name}.cu"), unit);
    }
    let roots = || {
        ["one", "two"].map(|name| {
            let ptx = String::from_utf8(bench.read(&format!("build/src/{name}.ptx"))).unwrap();
            (ptx.contains("sqrt.rn.f32"), ptx.contains("sqrt.approx"))
        })
    };
    // nvcc rounds them by default, and an option for nvcc counts as intended.
    bench.write("Makefile", of_nvcc());
    let built = make(&bench).succeed();
    assert_eq!(roots(), [(true, false); 2]);
    assert!(!built.stderr.contains("approximate"), "{}", built.stderr);
    let fast = of_nvcc().replace("DEVICE := ", "DEVICE := -use_fast_math ");
    bench.write("Makefile", fast);
    let built = make(&bench).arg("-B").succeed();
    assert_eq!(roots(), [(false, true); 2]);
    assert!(!built.stderr.contains("approximate"), "{}", built.stderr);

    let makefile = of_clang();
    bench.write("Makefile", &makefile);
    let built = make(&bench).arg("-B").succeed();
    assert_eq!(roots(), [(true, false); 2]);
    assert!(!built.stderr.contains("approximate"), "{}", built.stderr);

    // Without the option clang approximates them, which one message tells of all units.
    assert!(makefile.contains(ROUNDS), "{makefile}");
    bench.write("Makefile", makefile.replace(ROUNDS, ""));
    let built = make(&bench).arg("-B").succeed();
    assert_eq!(roots(), [(false, true); 2]);
    let says = "square roots of build/src/one.summary and 1 other unit are approximate, although";
    assert_eq!(built.stderr.matches(says).count(), 1, "{}", built.stderr);

    // There is no warning if fast arithmetic is requested, or stated as intended.
    let fast = makefile.replace(ROUNDS, " -ffast-math");
    let meant = makefile
        .replace(ROUNDS, "")
        .replace("summarize --module-id", "summarize --option prec-sqrt=0 --module-id");
    for makefile in [fast, meant] {
        bench.write("Makefile", makefile);
        let built = make(&bench).arg("-B").succeed();
        assert_eq!(roots(), [(false, true); 2]);
        assert!(!built.stderr.contains("approximate"), "{}", built.stderr);
    }
}

#[test]
fn the_smallest_example_is_built_by_its_makefile() {
    let bench = Workbench::new();
    let example = workspace_root().join("examples/make");
    dev_builds::copy_sources(&example, bench.path()).unwrap();
    let built = make(&bench).succeed();
    assert_eq!(ran(&built.stdout, "import").len(), 2, "{}", built.stdout);
    Run::new(bench.file("build/transport"), bench.path()).succeed();
}
