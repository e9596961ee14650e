//! What remote execution costs on this side of the network.
//!
//! The task runner has no dependencies, so an example of the tests' package does the measuring:
//! it starts a real server and talks to it through the product's client, built as for users.
//!
//! - `remote.overhead_ms_per_action`: the median time of a small action whose inputs and result the
//!   server has: the messages, their digests, the calls, and the server's time to answer them.
//! - `remote.rpc_per_action`: calls for a small action that the server runs, without those that only
//!   the first action of a build needs.

use std::path::Path;

use super::print_metric;
use crate::commands::takes_no_arguments;
use crate::error::{Error, Result};
use crate::process::Process;
use crate::toolchain;

pub(super) const HELP: &str = "time and calls of small remote actions, on this side";

/// Builds and runs the measuring, and prints its metrics.
pub(super) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    takes_no_arguments("bench remote", arguments)?;
    let toolchain = toolchain::ensure(root)?;
    toolchain::servers::ensure(root)?;
    let mut lines = Vec::new();
    Process::new("cargo")
        .args(["run", "--release", "--locked", "--package", "weft-tests"])
        .args(["--example", "remote_costs"])
        .variables(toolchain.environment())
        .directory(root)
        .scan(|line| {
            println!("{line}");
            lines.push(line.to_owned());
        })?;
    let value = |name: &str| -> Result<f64> {
        let value = lines.iter().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
        value.ok_or_else(|| Error::new(format!("the measuring has printed no {name:?}")))
    };
    print_metric("remote.overhead_ms_per_action", value("overhead_ms_per_action ")?);
    print_metric("remote.rpc_per_action", value("calls ")? / value("actions ")?);
    // The metrics of whole builds, `remote.bytes_up_rebuild` and `remote.cached_rebuild_vs_local`, belong
    // here: they need executables that take `--remote-executor`.
    Ok(())
}
