//! Installs scripts that tests run in a browser, and a program that they run, from packages of npm.

use std::path::{Path, PathBuf};

use crate::archive;
use crate::lock::Lock;
use crate::state::State;
use dev_process::Result;

/// The checker of accessibility, below the folder of the scripts.
const AXE: &str = "axe-core/axe.min.js";
/// The checker of Starlark, in the same place.
const BUILDIFIER: &str = "buildifier/buildifier-linux_amd64";

/// Installs the scripts that are missing or not as the lock asks.
pub fn ensure(root: &Path) -> Result<()> {
    let scripts = Lock::read(root)?.scripts;
    scripts.iter().try_for_each(|part| archive::ensure(root, part, &part.name))
}

/// Returns the file of the checker of accessibility, which [`ensure`] has installed.
pub fn axe(root: &Path) -> PathBuf {
    State::folder(root).join(AXE)
}

/// Returns the checker of Starlark, which [`ensure`] has installed.
pub fn buildifier(root: &Path) -> PathBuf {
    State::folder(root).join(BUILDIFIER)
}
