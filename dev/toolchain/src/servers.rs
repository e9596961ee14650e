//! Installs the REAPI servers that the tests start and stop, and a later CMake than the
//! distribution's, out of Python wheels.
//!
//! Each has a folder of its own below `.toolchain`, so another version of one leaves the others
//! alone.

use std::path::{Path, PathBuf};

use crate::archive;
use crate::lock::Lock;
use crate::state::State;
use dev_process::Result;

/// The later CMake.
const CMAKE: &str = "cmake-4.4.4/bin/cmake";

/// Installs the servers and tools that are missing or not as the lock asks.
pub fn ensure(root: &Path) -> Result<()> {
    let servers = Lock::read(root)?.servers;
    servers.iter().try_for_each(|part| archive::ensure(root, part, &part.name))
}

/// Returns the later CMake, which [`ensure`] has installed.
pub fn cmake(root: &Path) -> PathBuf {
    State::folder(root).join(CMAKE)
}
