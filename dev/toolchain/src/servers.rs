//! Installs the REAPI servers that the tests start and stop, out of Python wheels.
//!
//! Each has a folder of its own below `.toolchain`, so another version of one leaves the others
//! alone.

use std::fs;
use std::path::Path;

use crate::archive;
use crate::lock::{Lock, Part};
use crate::state::State;
use dev_process::{Result, Stopwatch, remove, while_trying};

/// Installs the servers that are missing or not as the lock asks.
pub fn ensure(root: &Path) -> Result<()> {
    Lock::read(root)?.servers.iter().try_for_each(|part| ensure_one(root, part))
}

fn ensure_one(root: &Path, part: &Part) -> Result<()> {
    let stamp = archive::stamp(part);
    let is_current = || {
        let mut folders = part.keeps.iter().map(|(_, to)| State::folder(root).join(to));
        folders.all(|folder| archive::is_current(&folder, &stamp))
    };
    if is_current() {
        return Ok(());
    }
    let state = State::lock(root)?;
    if is_current() {
        return Ok(()); // The run that we waited for has done it.
    }
    let stopwatch = Stopwatch::start();
    println!("downloading a REAPI server: {} MB", part.size / 1_000_000);
    let scratch = state.scratch("server")?;
    let tree = scratch.path().join("tree");
    archive::unpack(scratch.path(), part, &tree)?;
    for (_, name) in &part.keeps {
        let (made, folder) = (tree.join(name), state.path(name));
        let stamp_file = made.join("stamp");
        fs::write(&stamp_file, &stamp).map_err(while_trying("write", &stamp_file))?;
        remove(&folder)?;
        fs::rename(&made, &folder).map_err(while_trying("move into place", &made))?;
        println!("it is in {} ({stopwatch})", folder.display());
    }
    Ok(())
}
