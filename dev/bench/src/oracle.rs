//! Agreement of Weft with plain linking, and of the tests with the rules that they check.
//!
//! - `oracle.programs`: programs of the corpus whose images were compared with plainly linked ones.
//! - `oracle.random_programs`: random programs whose images were compared in the same way.
//! - `oracle.differences`: differences of all of them; a step that failed counts as one.
//! - `oracle.nvcc_programs`: programs of the corpus and random programs that were compared with
//!   units of nvcc; the random ones run as well, from the PTX of both links.
//! - `oracle.nvcc_differences`: differences of these.
//! - `oracle.mutants`: copies of Weft's sources with one rule broken each.
//! - `oracle.mutants_caught`: mutants with which some test failed.
//!
//! An example of the tests' package compares the programs, since the task runner has no
//! dependencies.

use std::path::Path;

use crate::figures::{number, print_metric};
use dev_checkout::executables;
use dev_process::{Error, Process, Result};
use dev_toolchain::{Scope, Toolchain};

/// The work to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Number of random programs.
    pub random: u64,
    /// Seed of the first random program; the next program has the next seed.
    pub seed: u64,
    /// Maximum number of mutants.
    pub mutants: usize,
    /// Text that the names of the tried mutants contain.
    pub only: String,
}

/// Compares the programs, then tries the mutants.
pub fn run(root: &Path, request: &Request) -> Result<()> {
    let toolchain = dev_toolchain::ensure(root, Scope::Tests)?;
    let mut differences = 0;
    if request.random > 0 {
        executables::build_for_tests(root, &toolchain)?;
        let corpus = compare(root, &toolchain, &["corpus"])?;
        let (first, count) = (request.seed.to_string(), request.random.to_string());
        let random = compare(root, &toolchain, &["random", &first, &count])?;
        print_metric("oracle.programs", number(corpus.programs));
        print_metric("oracle.random_programs", number(random.programs));
        differences = corpus.differences + random.differences;
        print_metric("oracle.differences", number(differences));
        let by_nvcc = compare(root, &toolchain, &["nvcc", &first, &count])?;
        print_metric("oracle.nvcc_programs", number(by_nvcc.programs));
        print_metric("oracle.nvcc_differences", number(by_nvcc.differences));
        differences += by_nvcc.differences;
    }
    let tally = dev_mutation::run(root, &toolchain, &request.only, request.mutants)?;
    print_metric("oracle.mutants", number(tally.tried));
    print_metric("oracle.mutants_caught", number(tally.caught));
    if differences > 0 {
        println!("the folders of programs that differ are named above");
    }
    Ok(())
}

/// Counts that the example printed.
#[derive(Clone, Copy, Debug, Default)]
struct Compared {
    programs: u64,
    differences: u64,
}

fn compare(root: &Path, toolchain: &Toolchain, arguments: &[&str]) -> Result<Compared> {
    let (mut programs, mut differences) = (None, None);
    Process::new("cargo")
        .args(["run", "--locked", "--package", "weft-tests", "--example", "oracle", "--"])
        .args(arguments.iter().copied())
        .variables(toolchain.environment())
        .directory(root)
        .scan(|line| {
            println!("{line}");
            let count = |name: &str| line.strip_prefix(name)?.parse().ok();
            programs = count("programs ").or(programs);
            differences = count("differences ").or(differences);
        })?;
    let counts = programs.zip(differences);
    let (programs, differences) =
        counts.ok_or_else(|| Error::new("the example 'oracle' has printed no counts"))?;
    Ok(Compared { programs, differences })
}
