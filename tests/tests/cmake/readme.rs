//! The commands that `cmake/README.md` gives to a new user.

use std::fs;

use tempfile::TempDir;
use weft_tests::device_options;
use weft_tests::pages::block;
use weft_tests::{Run, tools};

use crate::project::{Project, install};

const PAGE: &str = "cmake/README.md";

/// Types what the page says about a compiler, in a folder with the example.
fn type_for(compiler: &str) -> Project {
    let project = Project::copy("examples/cmake");
    let definition = fs::read_to_string(project.source().join("CMakeLists.txt"));
    assert_eq!(definition.expect("a CMakeLists.txt"), block(PAGE, "cmake", "project("));
    let prefix = TempDir::with_prefix("weft-prefix-").expect("a folder");
    install(prefix.path());
    let typed = block(PAGE, "console", compiler);
    let typed: Vec<_> = typed.lines().map(|line| line.strip_prefix("$ ").unwrap_or(line)).collect();
    let clang = tools().llvm("clang++");
    let llvm = clang.parent().and_then(|folder| folder.parent()).expect("LLVM's prefix");
    let outcome = Run::new("sh", project.source())
        .args(["-euc", &typed.join("\n")])
        .variable("LLVM", llvm)
        .variable("CUDA", tools().cuda_root())
        .variable("WEFT", prefix.path())
        .succeed();
    assert!(
        !outcome.stdout.contains("warning") && !outcome.stderr.contains("arning"),
        "{outcome:?}"
    );
    let folder = project.source();
    assert!(folder.join("build/simulation.weft/sm_90/forces.cu.cubin").exists(), "{outcome:?}");
    Run::new(folder.join("build/simulation"), &folder).succeed();
    project
}

#[test]
fn the_page_takes_a_project_of_nvcc_to_weft() {
    type_for("bin/nvcc");
}

#[test]
fn the_page_takes_a_project_to_weft() {
    let project = type_for("bin/clang++");
    let folder = project.source();
    let steps = fs::read_to_string(folder.join("build/build.ninja")).expect("the build file");
    let options = steps.lines().find(|line| line.contains("FLAGS = ") && line.contains(" -Xarch_"));
    device_options::check("examples/cmake", options.expect("a CUDA unit"));
}
