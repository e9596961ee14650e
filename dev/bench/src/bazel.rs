//! Cost of a Bazel workspace with many CUDA programs, beside the programs' own work.
//!
//! - `bazel.second_test_jobs`: imports, codegens and assembles that the second test over a library
//!   runs, without any cache
//! - `bazel.noop_seconds`: time of a build of ten tests that has nothing to do
//! - `bazel.analysis_seconds_200x200`: time of the analysis of 200 tests over a library of 200
//!   units, in a server that has loaded nothing of them
//! - `bazel.actions_per_unit`: actions that one more unit adds to a program for one architecture
//! - `bazel.actions_per_program`: actions that such a program has regardless of its number of units
//!
//! The analysis runs no executable of Weft, and the jobs are only counted.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use dev_checkout::bazel::{self, Parts, Server};
use dev_checkout::executables;
use dev_process::{Error, Outcome, Result, Stopwatch, while_trying};
use dev_programs::wide;
use dev_toolchain::{BuildSystems, Scope, Toolchain};

use crate::figures::{median, print_metric};

/// Number of builds that have nothing to do; the median of their times counts.
const RUNS: usize = 5;
/// Number of units of the library that ten tests share.
const SHARED_UNITS: u32 = 20;
/// Seed of the programs.
const SEED: u64 = 1;

/// Measures all of it.
pub fn run(root: &Path) -> Result<()> {
    let toolchain = dev_toolchain::ensure(root, Scope::Tests)?;
    let bench = Bench {
        root: root.to_owned(),
        executables: executables::build(root, &toolchain)?,
        bazel: BuildSystems::find()?.bazel,
        scratch: executables::target_folder(root)?.join("bench/bazel"),
        toolchain,
    };
    shared_library(&bench)?;
    analysis(&bench)?;
    actions_per_unit(&bench)
}

struct Bench {
    root: PathBuf,
    toolchain: Toolchain,
    executables: PathBuf,
    bazel: PathBuf,
    scratch: PathBuf,
}

impl Bench {
    /// Writes a library of `units` units with `tests` tests over it, and returns its server.
    fn server(&self, units: u32, tests: u32) -> Result<Server> {
        let folder = self.scratch.join(format!("{units}x{tests}"));
        wide::write(&folder, units, SEED)?;
        let build = folder.join("BUILD.bazel");
        fs::write(&build, build_file(tests)).map_err(while_trying("write", &build))?;
        let parts = Parts {
            checkout: &self.root,
            llvm_prefix: &self.toolchain.llvm_prefix,
            cuda_root: &self.toolchain.cuda_root,
            executables: &self.executables,
        };
        // Below the workspace Bazel would find its own outputs as sources.
        bazel::write(&folder, &self.scratch.join("bazel-root"), &parts, &[])?;
        Ok(Server::new(&self.bazel, &folder))
    }
}

/// A library of all CUDA units, with tests of the same host code, which differ by a macro.
fn build_file(tests: u32) -> String {
    format!(
        r#"load("@weft//:defs.bzl", "weft_cuda_library", "weft_cuda_test")

weft_cuda_library(
    name = "library",
    srcs = glob(["src/*.cu"]),
    hdrs = glob(["include/*.cuh"]),
    copts = ["-std=c++17"],
    includes = ["include"],
)

[
    weft_cuda_test(
        name = "test_%d" % number,
        srcs = ["src/main.cpp"],
        local_defines = ["NUMBER=%d" % number],
        deps = [":library"],
    )
    for number in range({tests})
]
"#
    )
}

fn shared_library(bench: &Bench) -> Result<()> {
    let server = bench.server(SHARED_UNITS, 10)?;
    // With this option, Bazel prints the actions that it runs.
    let first = succeed(&server, &["build", "--subcommands", "//:test_0"])?;
    if jobs(&first.stderr) != 3 * SHARED_UNITS {
        return Err(Error::new(format!("the first test ran other jobs:\n{}", first.stderr)));
    }
    let second = succeed(&server, &["build", "--subcommands", "//:test_1"])?;
    print_metric("bazel.second_test_jobs", f64::from(jobs(&second.stderr)));
    succeed(&server, &["build", "//..."])?;
    let mut seconds = Vec::new();
    for _ in 0..RUNS {
        let stopwatch = Stopwatch::start();
        let outcome = succeed(&server, &["build", "//..."])?;
        seconds.push(stopwatch.seconds());
        // Bazel's line "1 process: 1 internal." counts no command.
        if !outcome.stderr.contains("1 process: 1 internal") {
            return Err(Error::new(format!("there was something to do:\n{}", outcome.stderr)));
        }
    }
    print_metric("bazel.noop_seconds", median(seconds));
    Ok(())
}

fn analysis(bench: &Bench) -> Result<()> {
    let server = bench.server(200, 200)?;
    // This target has no unit. It starts the server and loads the rules.
    succeed(&server, &["build", "--nobuild", "@weft_local//:cuda_toolchain"])?;
    let stopwatch = Stopwatch::start();
    succeed(&server, &["build", "--nobuild", "//..."])?;
    print_metric("bazel.analysis_seconds_200x200", stopwatch.seconds());
    Ok(())
}

fn actions_per_unit(bench: &Bench) -> Result<()> {
    let mut counts = BTreeMap::new();
    for units in [10_u32, 50] {
        let server = bench.server(units, 1)?;
        // The report is left out, as it is made only on request.
        let query = "mnemonic(\"(?!WeftReport|FileWrite).*\", //:all)";
        let arguments = ["aquery", "--include_aspects", query];
        let text = server.command(&arguments).quietly().capture()?;
        let count = actions(&text);
        if count == 0 {
            return Err(Error::new(format!("Bazel shows no action:\n{text}")));
        }
        counts.insert(units, count);
    }
    let (more, fewer) = (f64::from(counts[&50]), f64::from(counts[&10]));
    print_metric("bazel.actions_per_unit", (more - fewer) / 40.0);
    print_metric("bazel.actions_per_program", fewer - (more - fewer) / 4.0);
    Ok(())
}

fn succeed(server: &Server, arguments: &[&str]) -> Result<Outcome> {
    let outcome = server.command(arguments).quietly().outcome()?;
    if outcome.success {
        return Ok(outcome);
    }
    Err(Error::new(format!("bazel {} failed:\n{}", arguments.join(" "), outcome.stderr)))
}

/// Counts the jobs in the lines of `--subcommands`.
fn jobs(text: &str) -> u32 {
    const MESSAGES: [&str; 3] = ["Importing into", "Generating code of", "Assembling"];
    let starts_job = |line: &&str| {
        line.starts_with("SUBCOMMAND:") && MESSAGES.iter().any(|message| line.contains(message))
    };
    text.lines().filter(starts_job).map(|_| 1).sum()
}

/// Counts the actions in Bazel's text, each of which starts with a line `action 'MESSAGE'`.
fn actions(text: &str) -> u32 {
    text.lines().filter(|line| line.starts_with("action '")).map(|_| 1).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_the_lines_that_state_them() {
        let action = "action 'Assembling a.cu'\n  Mnemonic: WeftAssemble\n\n";
        assert_eq!(actions(&action.repeat(3)), 3);
        let line = "SUBCOMMAND: # //:library [action 'Assembling a.cu for sm_90', mnemonic: X]";
        assert_eq!(jobs(&format!("{line}\nAssembling, in a warning\n{line}")), 2);
    }
}
