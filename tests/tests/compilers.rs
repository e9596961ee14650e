//! Units of the clangs that people have: 16, 19 and 22, alone and in one program, with the ptxas of
//! CUDA 12.6. The linked images have the facts of the same programs linked plainly.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use weft_tests::Compiler;
use weft_tests::corpus::{self, Program};
use weft_tests::oracle::{Failure, check_transport_by, run};

const CLANG_16: Compiler = Compiler::before(16);
const CLANG_19: Compiler = Compiler::before(19);
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
fn programs_of_clang_16() {
    are_right(&["bounds-launch", "launch-static-kernels", "math-library-tables"], &[CLANG_16]);
}

#[test]
fn programs_of_three_clangs() {
    let names = ["bounds-launch", "calls-deep-chain", "launch-template-both-units"];
    are_right(&names, &[CLANG_16, CLANG_22, CLANG_19]);
}

#[test]
fn the_example_of_clang_19() {
    check_transport_by(&[CLANG_19]).unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn the_example_of_three_clangs() {
    let compilers = [CLANG_22, CLANG_16, CLANG_19];
    check_transport_by(&compilers).unwrap_or_else(|failure| panic!("{failure}"));
}
