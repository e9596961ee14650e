//! `cargo xtask check`: every check of the code that does not run it, and the unit tests of its C++
//! under sanitizers.
//!
//! All steps run even when one fails, so one run shows everything that needs fixing.

mod dependencies;
mod reviews;
mod sanitizers;

use std::ffi::OsString;
use std::path::Path;

use super::arguments::takes_no_arguments;
use super::knobs;
use dev_process::{Error, Process, Result, Stopwatch};
use dev_toolchain::{Scope, Toolchain};

/// The line in the table of commands.
pub(crate) const HELP: &str =
    "check format, lints, documentation, options, errors, dependencies and tidiness";

/// Remark of a step that found nothing wrong.
type Remark = String;

/// Runs every step, and fails at the end if one failed.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    takes_no_arguments("check", arguments)?;
    // Steps that compile need the toolchain; the others run all the same.
    let toolchain = dev_toolchain::ensure(root, Scope::Tests).map_err(|error| error.to_string());
    let environment = toolchain.as_ref().map(Toolchain::environment).map_err(Clone::clone);
    let steps = [
        step("fmt", || cargo(root, &["fmt", "--all", "--check"]).run()),
        step("tidy", || {
            cargo(root, &["run", "--quiet", "--locked", "--package", "dev-tidy"]).run()
        }),
        step("spelling", || spelling(root)),
        step("clippy", || {
            let clippy = ["clippy", "--workspace", "--all-targets", "--locked"];
            building(root, &clippy, &environment)?.args(["--", "-D", "warnings"]).run()
        }),
        step("doc", || {
            let doc = ["doc", "--workspace", "--no-deps", "--locked"];
            building(root, &doc, &environment)?.variable("RUSTDOCFLAGS", "-D warnings").run()
        }),
        step("knobs", || knobs::check(root, toolchain.as_ref().map_err(Error::new)?)),
        step("errors", || dev_errors::check(root, false).map(drop)),
        step("sanitizers", || {
            let tests = building(root, &sanitizers::ARGUMENTS, &environment)?;
            let llvm = toolchain.as_ref().map_err(Error::new)?;
            sanitizers::tests(tests, root, &llvm.llvm_prefix)?.run()
        }),
        step("dependencies", || dependencies::check_policy(root)),
        step("reviews", || reviews::check(root)),
        remarkable_step("advisories", || dependencies::check_advisories(root)),
    ];
    println!("\nsummary:");
    for step in &steps {
        println!("  {step}");
    }
    if steps.iter().all(|step| step.passed) { Ok(()) } else { Err(Error::reported()) }
}

/// Result of a step, to show at the end.
struct Step {
    name: &'static str,
    passed: bool,
    detail: String,
}

impl std::fmt::Display for Step {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let verdict = if self.passed { "ok" } else { "FAILED" };
        write!(formatter, "{:14}{verdict:8}{}", self.name, self.detail)
    }
}

fn step(name: &'static str, work: impl FnOnce() -> Result<()>) -> Step {
    remarkable_step(name, || work().map(|()| Remark::new()))
}

fn remarkable_step(name: &'static str, work: impl FnOnce() -> Result<Remark>) -> Step {
    let stopwatch = Stopwatch::start();
    println!("\n== {name}");
    let outcome = work();
    if let Err(error) = &outcome
        && !error.message().is_empty()
    {
        println!("{error}");
    }
    let passed = outcome.is_ok();
    let remark = outcome.unwrap_or_default();
    println!("== {name}: {} ({stopwatch})", if passed { "ok" } else { "FAILED" });
    Step { name, passed, detail: format!("{stopwatch}  {remark}").trim_end().to_owned() }
}

fn cargo(root: &Path, arguments: &[&str]) -> Process {
    Process::new("cargo").args(arguments.iter().copied()).directory(root)
}

/// Runs the spell checker by its settings at the root.
fn spelling(root: &Path) -> Result<()> {
    let typos = dev_toolchain::servers::typos(root)?;
    Process::new(typos).args(["--format", "brief"]).directory(root).run()
}

/// Returns a cargo command that builds the workspace, with the variables of the toolchain.
fn building(
    root: &Path,
    arguments: &[&str],
    environment: &std::result::Result<Vec<(String, OsString)>, String>,
) -> Result<Process> {
    match environment {
        Ok(variables) => Ok(cargo(root, arguments).variables(variables.iter().cloned())),
        Err(message) => Err(Error::new(message)),
    }
}
