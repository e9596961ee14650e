//! Installs the scripts that tests run in a browser, out of packages of npm.

use std::path::{Path, PathBuf};

use crate::archive;
use crate::lock::Lock;
use crate::state::State;
use dev_process::Result;

/// The checker of accessibility, below the folder of the scripts.
const AXE: &str = "axe-core/axe.min.js";

/// Installs the scripts that are missing or not as the lock asks.
pub fn ensure(root: &Path) -> Result<()> {
    let scripts = Lock::read(root)?.scripts;
    scripts.iter().try_for_each(|part| archive::ensure(root, part, &part.name))
}

/// Returns the file of the checker of accessibility, which [`ensure`] has installed.
pub fn axe(root: &Path) -> PathBuf {
    State::folder(root).join(AXE)
}
