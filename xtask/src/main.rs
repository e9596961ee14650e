//! `cargo xtask`: the task runner, a table of commands over the crates in `dev`.
//! `.cargo/config.toml` gives it its name.

mod commands;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use dev_process::{Error, Result, ended, environment};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    ended(workspace_root().and_then(|root| commands::dispatch(&root, &arguments)))
}

/// Returns the root of the checkout: the parent of this crate, which cargo names when it runs the
/// program. The path compiled in would be wrong after a checkout is moved.
fn workspace_root() -> Result<PathBuf> {
    let crate_folder = environment::variable("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let root = crate_folder.as_deref().and_then(Path::parent);
    root.map(Path::to_path_buf).ok_or_else(|| Error::new("run this program as `cargo xtask`"))
}
