//! The CMake package with the real CMake, Ninja, Make, clang, ptxas and nvlink: its builds, its
//! rebuilds after an edit, and its messages about mistakes.

#![allow(clippy::expect_used, clippy::panic, reason = "a test may stop at the first surprise")]

mod arithmetic;
mod by_nvcc;
mod configurations;
mod detected;
mod emptied;
mod followed;
mod generations;
mod guard;
mod host_names;
mod installed;
mod libraries;
mod names;
mod no_entries;
mod nvcc;
mod options;
mod packed;
mod policies;
mod project;
mod readme;
mod rebuild_table;
mod recipes;
mod servers;
mod settings;
mod shared;
mod transport;
mod twice;
mod vendor;

use std::fs;

use project::{Project, from_checkout};
use weft_tests::tools;

#[test]
fn mistakes_end_the_configuration_and_say_what_to_do() {
    let clang = Project::copy("tests/cmake/errors");
    let nvcc = Project::copy("tests/cmake/errors");
    let compiler = format!("-DCMAKE_CUDA_COMPILER={}", tools().cuda("nvcc").display());
    let mut count = 0;
    for entry in fs::read_dir(clang.source().join("cases")).expect("the cases") {
        let path = entry.expect("a case").path();
        let case = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a case");
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
        let says = value("# says: ").expect("what the case says");
        let cmake = match value("# with: ") {
            None => clang.cmake("Ninja"),
            Some(_) => nvcc.bare_cmake("Ninja").args([&compiler, "-DCMAKE_CUDA_ARCHITECTURES=90"]),
        };
        let outcome = cmake.args(from_checkout()).arg(format!("-DCASE={case}")).expect(1);
        // CMake breaks lines.
        let messages = outcome.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(messages.contains(says), "{case}: expected {says:?} in:\n{}", outcome.stderr);
        count += 1;
    }
    assert!(count > 20, "only {count} cases were found");
}
