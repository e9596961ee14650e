//! Installs the REAPI servers that the tests start and stop, a later CMake than the distribution's,
//! and a spell checker, out of Python wheels.
//!
//! Each has a separate folder below `.toolchain`, so another version of one leaves the others
//! alone.

use std::path::{Path, PathBuf};

use crate::archive;
use crate::lock::Lock;
use crate::state::State;
use dev_process::{Error, Result};

/// The later CMake.
const CMAKE: &str = "cmake-4.4.4/bin/cmake";

/// The spell checker.
const TYPOS: &str = "typos";

/// Installs the servers and tools that are missing or not as the lock asks.
pub fn ensure(root: &Path) -> Result<()> {
    let servers = Lock::read(root)?.servers;
    servers.iter().try_for_each(|part| archive::ensure(root, part, &part.name))
}

/// Installs the spell checker if it is missing, and returns it.
pub fn typos(root: &Path) -> Result<PathBuf> {
    let lock = Lock::read(root)?;
    let part = lock.servers.iter().find(|part| part.name == TYPOS);
    let part = part.ok_or_else(|| Error::new(format!("toolchain.lock has no {TYPOS}")))?;
    archive::ensure(root, part, TYPOS)?;
    Ok(State::folder(root).join(TYPOS).join(TYPOS))
}

/// Returns the later CMake, which [`ensure`] has installed.
pub fn cmake(root: &Path) -> PathBuf {
    State::folder(root).join(CMAKE)
}
