//! Units are compiled in the dialect of `cc_library`: as the compilation mode, the C++ toolchain
//! and the command line say.

use weft_tests::bazel::{Spawn, Workspace};
use weft_tests::tools;

/// Options that the units of the project demand, and a check of the sanitizer at run time, whose
/// name has a comma.
const OPTIONS: [&str; 6] = [
    "--copt=-DOF_COPT",
    "--cxxopt=-DOF_CXXOPT",
    "--cxxopt=-std=c++20",
    "--conlyopt=-DOF_CONLYOPT",
    "--copt=-fsanitize=signed-integer-overflow,bounds",
    "--linkopt=-fsanitize=undefined",
];

fn build(workspace: &Workspace, options: &[&str]) -> Vec<Spawn> {
    let targets = ["//:program", "--output_groups=+weft_ptx"];
    workspace.build(&[&targets[..], &OPTIONS, options].concat())
}

/// Fails the test unless the kernel's assertion is compiled if and only if the mode has it.
fn check_assertion(workspace: &Workspace, expected: bool) {
    let ptx = workspace.output("_weft/program/sm_90/jobs/kernel.cu.ptx");
    let ptx = String::from_utf8_lossy(&ptx);
    assert_eq!(ptx.contains("__assertfail"), expected, "{ptx}");
}

/// Fails the test unless host code was compiled and linked with the sanitizer.
fn check_sanitizer(workspace: &Workspace) {
    let said = workspace.program("program").stderr;
    assert!(said.contains("runtime error: signed integer overflow"), "{said}");
}

#[test]
fn options_of_the_command_line_hold_for_units_of_both_compilers() {
    for compiler in ["clang", "nvcc"] {
        let setting = format!("build --repo_env=WEFT_CUDA_COMPILER={compiler}");
        let workspace = Workspace::with_options("tests/bazel/dialect", &[setting]);
        for (mode, asserts) in [("fastbuild", true), ("opt", false)] {
            for spawn in build(&workspace, &["-c", mode]) {
                if spawn.mnemonic.starts_with("Weft") {
                    spawn.check_relative();
                }
            }
            check_assertion(&workspace, asserts);
            check_sanitizer(&workspace);
        }
    }
}

#[test]
fn options_of_the_toolchain_reach_its_own_kind_of_compiler() {
    let workspace = Workspace::copy_of("tests/bazel/dialect");
    let words = |options: &[&str]| {
        let spawns = build(&workspace, &[&["-c", "opt"], options].concat());
        let compiles = |spawn: &Spawn| spawn.mnemonic == "WeftHostCompile";
        let found = spawns.into_iter().find(compiles);
        found.map(|spawn| spawn.arguments).unwrap_or_default()
    };
    let has = |words: &[String], word: &str| words.iter().any(|known| known == word);
    let of_gcc = words(&[]);
    assert!(has(&of_gcc, "-ffunction-sections") && has(&of_gcc, "-DNDEBUG"), "{of_gcc:?}");
    assert!(!has(&of_gcc, "-Wall") && !has(&of_gcc, "-fno-canonical-system-headers"));
    let clang = format!("--repo_env=CC={}", tools().llvm("clang").display());
    let of_clang = words(&[&clang, "--linkopt=-fuse-ld=lld"]);
    assert!(has(&of_clang, "-Wall") && has(&of_clang, "-ffunction-sections"), "{of_clang:?}");
    // The toolchain of Bazel 4 asks for C++11, which CUDA's own headers refuse.
    assert!(!has(&of_clang, "-std=c++0x"), "{of_clang:?}");
}
