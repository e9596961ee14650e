//! The README's Makefile, in the example: it builds the program with every kernel, runs nothing
//! where nothing changed, and after an edit the jobs that the edit reaches.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::ffi::OsString;

use dev_toolchain::Scope;
use weft_tests::{Run, Workbench, pages, tools, workspace_root};

/// Returns a call of Make in the folder, which finds the tools where the README wants them.
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

#[test]
fn the_makefile_of_the_readme_builds_the_example_and_no_more_than_it_must() {
    let bench = Workbench::new();
    dev_builds::copy_sources(&workspace_root().join("examples/transport"), bench.path()).unwrap();
    bench.write("Makefile", pages::block("README.md", "make", "thinlink"));

    let clean = make(&bench).succeed();
    assert_eq!(ran(&clean.stdout, "import").len(), 31, "{}", clean.stdout);
    let toolchain = dev_toolchain::ensure(workspace_root(), Scope::Builds).unwrap();
    let image = dev_sass::read(&toolchain, &bench.file("build/image.cubin")).unwrap();
    assert_eq!(image.kernels.len(), 10, "{:?}", image.kernels.keys());

    let idle = make(&bench).succeed();
    assert!(idle.stdout.contains("'build/transport' is up to date"), "{}", idle.stdout);

    // The comment marks a line that no other unit imports.
    let source = String::from_utf8(bench.read("src/tally.cu")).unwrap();
    let (before, after) = source.split_once("// private-edit:").unwrap();
    bench.write(
        "src/tally.cu",
        format!("{before}// private-edit:{}", after.replacen("= ", "= 1 + ", 1)),
    );
    let edited = make(&bench).succeed();
    for phase in ["import", "codegen"] {
        assert_eq!(ran(&edited.stdout, phase), ["tally"], "{}", edited.stdout);
    }
    assert!(make(&bench).succeed().stdout.contains("is up to date"));
}

#[test]
fn the_smallest_example_is_built_by_the_makefile_of_the_readme() {
    let bench = Workbench::new();
    let example = workspace_root().join("examples/make");
    dev_builds::copy_sources(&example, bench.path()).unwrap();
    let makefile = std::fs::read_to_string(example.join("Makefile")).unwrap();
    assert_eq!(makefile, pages::block("README.md", "make", "thinlink"));
    bench.write("Makefile", makefile);
    let built = make(&bench).succeed();
    assert_eq!(ran(&built.stdout, "import").len(), 2, "{}", built.stdout);
    Run::new(bench.file("build/transport"), bench.path()).succeed();
}
