//! Bazel: declared inputs, from its action graph, and the time of a build that has nothing to do.

use super::setup::{LARGE, SMALL, Setup};
use crate::figures::{median, print_metric};
use dev_checkout::bazel::{self, Parts, Server};
use dev_process::{Error, Result, Stopwatch};
use dev_programs::wide::TARGET;

/// Number of builds that have nothing to do; the median of their times counts.
const RUNS: usize = 5;

pub(super) fn measure(setup: &Setup) -> Result<()> {
    let small = server(setup, SMALL)?;
    print_metric("build.input_edges_per_unit_at_50", edges_per_unit(&small, SMALL)?);
    drop(small);
    let large = server(setup, LARGE)?;
    print_metric("build.input_edges_per_unit", edges_per_unit(&large, LARGE)?);
    let target = format!("//:{TARGET}");
    let build = || large.command(&["build", &target]).quietly().outcome();
    let stopwatch = Stopwatch::start();
    let first = build()?;
    if !first.success {
        return Err(Error::new(format!("Bazel does not build the program:\n{}", first.stderr)));
    }
    println!("Bazel built {LARGE} units in {stopwatch}");
    let mut seconds = Vec::new();
    for _ in 0..RUNS {
        let stopwatch = Stopwatch::start();
        let outcome = build()?;
        seconds.push(stopwatch.seconds());
        // Bazel's line "1 process: 1 internal." counts no command.
        if !outcome.success || !outcome.stderr.contains("1 process: 1 internal") {
            return Err(Error::new(format!("there was something to do:\n{}", outcome.stderr)));
        }
    }
    print_metric("build.noop_seconds_bazel", median(seconds));
    Ok(())
}

/// Returns the server of a workspace with a program of `units` units.
fn server(setup: &Setup, units: u32) -> Result<Server> {
    let folder = setup.program("bazel", units)?;
    // Below the workspace Bazel would find its own outputs as sources.
    let output_root = setup.scratch.join("bazel-root");
    let parts = Parts {
        checkout: &setup.root,
        llvm_prefix: &setup.toolchain.llvm_prefix,
        cuda_root: &setup.toolchain.cuda_root,
        executables: &setup.executables,
    };
    bazel::write(&folder, &output_root, &parts, &[])?;
    Ok(Server::new(&setup.build_systems.bazel, &folder))
}

/// Returns the number of declared inputs of all actions of the program, divided by the number of
/// units.
fn edges_per_unit(server: &Server, units: u32) -> Result<f64> {
    // The program's link is an action of the rules for C++. The report is left out, as it is made
    // only on request.
    let query = format!("mnemonic(\"(Weft(?!Report)|Cpp).*\", deps(//:{TARGET}))");
    let text = server.command(&["aquery", &query]).quietly().capture()?;
    let edges: u32 = text.lines().filter_map(inputs).sum();
    if edges == 0 {
        return Err(Error::new(format!("Bazel shows no action of Weft:\n{text}")));
    }
    Ok(f64::from(edges) / f64::from(units))
}

/// Returns the number of inputs in a line `  Inputs: [a, b]` of Bazel's text.
fn inputs(line: &str) -> Option<u32> {
    let list = line.trim().strip_prefix("Inputs: [")?.strip_suffix(']')?;
    Some(list.split(", ").filter(|input| !input.is_empty()).map(|_| 1).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_counted_in_lines_that_list_them() {
        assert_eq!(inputs("  Inputs: [a/b.cu, c.h, external/x/y]"), Some(3));
        assert_eq!(inputs("  Inputs: []"), Some(0));
        assert_eq!(inputs("  Outputs: [a]"), None);
    }
}
