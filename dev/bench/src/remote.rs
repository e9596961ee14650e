//! Cost of remote execution on this side of the network.
//!
//! The task runner has no dependencies, so examples of the tests' package do the measuring: they
//! start a real server and talk to it through the product's client, or build a program with the
//! product's executables beside it.
//!
//! - `remote.overhead_ms_per_action`: median time of a small action whose inputs and result the
//!   server has: the messages, their digests, the calls, and the server's time to answer them.
//! - `remote.rpc_per_action`: calls for a small action that the server runs, without the calls that
//!   only the first action of a build needs.
//! - `remote.bytes_up_rebuild`: bytes that are sent when all steps run on a cluster that has built
//!   the program before, and the kernel of one of 33 units was edited.
//!   `remote.bytes_up_rebuild_share` is their share of all bitcode.
//! - `remote.cached_rebuild_vs_local`: wall time of the device link from a remote cache that has
//!   all of it, divided by that of the same link done here, and `..._cpu` the same of the processor
//!   time on this side. The local cache is empty, as on a machine that builds for the first time.
//! - `remote.rpc_per_hit`: calls for one result that the cluster has, in a separate process, over a
//!   whole device link with the notes of the previous one. `remote.bytes_up_hit` is what the whole
//!   link sends.
//! - `remote.executable_uploads`: bytes that 40 jobs send at once to an empty store, over the size
//!   of the executable that all of them need.
//! - `remote.silent_cache_seconds`: wall time that a cache which accepts connections and says
//!   nothing adds to the device link of a program of 60 units.
//! - `remote.actions_per_second`: results that one process, `weft link` of 10,000 units, takes from
//!   a remote cache in a second, on the machine of the server, and
//!   `remote.client_cpu_ms_per_action`: the processor time on this side for each.
//! - `remote.dtlto_noop_jobs`: compilations that a link by lld's distributed ThinLTO runs where a
//!   cluster has done all of them before, in another folder.
//! - `remote.dtlto_equal`: 1 if such links make the programs that lld makes itself, and else 0.
//! - `remote.memory_class_misses`: share of codegens and assembles of that program that need more
//!   memory than the class that the thin link puts them into.

use std::path::Path;

use crate::figures::print_metric;
use dev_checkout::executables;
use dev_process::{Error, Process, Result};
use dev_toolchain::{Scope, Toolchain};

/// Builds and runs the measuring, and prints its metrics.
pub fn run(root: &Path) -> Result<()> {
    let toolchain = dev_toolchain::ensure(root, Scope::Tests)?;
    dev_toolchain::servers::ensure(root)?;
    let costs = measure(root, &toolchain, "remote_costs", &[])?;
    let executables = executables::build(root, &toolchain)?;
    let folder = executables::target_folder(root)?.join("bench/remote");
    let builds = measure(root, &toolchain, "remote_builds", &[&folder, &executables])?;
    let folder = executables::target_folder(root)?.join("bench/remote_shared");
    let shared = measure(root, &toolchain, "remote_shared", &[&folder, &executables])?;
    let links = measure(root, &toolchain, "remote_dtlto", &[&executables])?;
    let client = measure(root, &toolchain, "remote_link", &[&executables])?;
    print_metric("remote.overhead_ms_per_action", costs.value("overhead_ms_per_action ")?);
    print_metric("remote.rpc_per_action", costs.value("calls ")? / costs.value("actions ")?);
    let (sent, bitcode) = (builds.value("bytes_up_rebuild ")?, builds.value("bytes_of_bitcode ")?);
    print_metric("remote.bytes_up_rebuild", sent);
    print_metric("remote.bytes_up_rebuild_share", sent / bitcode);
    for name in ["cached_rebuild_vs_local", "cached_rebuild_vs_local_cpu", "memory_class_misses"] {
        print_metric(&format!("remote.{name}"), builds.value(&format!("{name} "))?);
    }
    for name in ["rpc_per_hit", "bytes_up_hit", "executable_uploads", "silent_cache_seconds"] {
        print_metric(&format!("remote.{name}"), shared.value(&format!("{name} "))?);
    }
    for name in ["actions_per_second", "client_cpu_ms_per_action"] {
        print_metric(&format!("remote.{name}"), client.value(&format!("{name} "))?);
    }
    for name in ["dtlto_noop_jobs", "dtlto_equal"] {
        print_metric(&format!("remote.{name}"), links.value(&format!("{name} "))?);
    }
    Ok(())
}

/// Output of an example.
struct Printed {
    example: String,
    lines: Vec<String>,
}

impl Printed {
    /// Returns the number after `name` at the start of a line.
    fn value(&self, name: &str) -> Result<f64> {
        let value = self.lines.iter().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
        value.ok_or_else(|| Error::new(format!("{} has printed no {name:?}", self.example)))
    }
}

/// Runs an example of the tests' package and shows what it prints.
fn measure(
    root: &Path,
    toolchain: &Toolchain,
    example: &str,
    arguments: &[&Path],
) -> Result<Printed> {
    let mut lines = Vec::new();
    Process::new("cargo")
        .args(["run", "--release", "--locked", "--package", "weft-tests", "--example", example])
        .arg("--")
        .args(arguments.iter().copied())
        .variables(toolchain.environment())
        .directory(root)
        .scan(|line| {
            println!("{line}");
            lines.push(line.to_owned());
        })?;
    Ok(Printed { example: example.to_owned(), lines })
}
