//! `cargo xtask test`: runs every test of the workspace, with the toolchain that it needs.

mod programs;
mod tally;

use std::path::Path;
use std::thread;

use dev_checkout::executables;
use dev_checkout::test_programs::BUILD;
use dev_process::environment::variable;
use dev_process::{Process, Result};
use dev_toolchain::Scope;

use tally::Tally;

/// The line in the table of commands.
pub(crate) const HELP: &str = "run all tests; with arguments, `cargo test` with them";

/// Number of tests that a program runs at a time, for libtest.
const THREADS: &str = "RUST_TEST_THREADS";
/// Number of tests for each processor: many tests wait for servers and timeouts.
const TESTS_OF_A_PROCESSOR: usize = 2;

/// Runs the tests and ends with one line that sums up all test programs.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let toolchain = dev_toolchain::ensure(root, Scope::Tests)?;
    executables::build_for_tests(root, &toolchain)?;
    dev_toolchain::servers::ensure(root)?;
    dev_toolchain::scripts::ensure(root)?;
    let ggml = dev_toolchain::samples::ensure(root, dev_toolchain::samples::GGML)?;
    let cuda_12 = dev_toolchain::samples::ensure(root, dev_toolchain::samples::CUDA_12)?;
    let clangs = dev_toolchain::samples::ensure(root, dev_toolchain::samples::CLANGS)?;
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let tests = |programs: usize| {
        let tests = processors * TESTS_OF_A_PROCESSOR / programs;
        variable(THREADS).unwrap_or_else(|| tests.to_string().into())
    };
    let with_tools = |process: Process, programs: usize| {
        process
            .variables(toolchain.environment())
            .variable(dev_toolchain::samples::GGML_VARIABLE, &ggml)
            .variable(dev_toolchain::samples::CUDA_12_VARIABLE, &cuda_12)
            .variable(dev_toolchain::samples::CLANGS_VARIABLE, &clangs)
            .variable(THREADS, tests(programs))
    };
    let cargo = |words: &[&str]| {
        let process = Process::new("cargo").args(words.iter().copied());
        with_tools(process.directory(root), 1)
    };
    let show = |line: &str| println!("{line}");
    if !arguments.is_empty() {
        let process = cargo(&["test", "--workspace", "--locked", "--no-fail-fast"]);
        return Tally::of(process.args(arguments), show)?.judge();
    }
    let programs = programs::build(cargo(&BUILD))?;
    let all = programs::run(&programs, |process| with_tools(process, programs::AT_A_TIME))?;
    let of_documentation = Tally::of(cargo(&["test", "--workspace", "--doc", "--locked"]), show)?;
    all.plus(of_documentation).judge()
}
