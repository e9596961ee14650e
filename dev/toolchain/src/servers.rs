//! Installs the REAPI servers that the tests start and stop, out of Python wheels.
//!
//! Each has a folder of its own below `.toolchain`, so another version of one leaves the others
//! alone.

use std::path::Path;

use crate::archive;
use crate::lock::Lock;
use dev_process::Result;

/// Installs the servers that are missing or not as the lock asks.
pub fn ensure(root: &Path) -> Result<()> {
    let servers = Lock::read(root)?.servers;
    servers.iter().try_for_each(|part| archive::ensure(root, part, "a REAPI server"))
}
