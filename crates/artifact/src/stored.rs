//! Asks the file system whether it has stored what was written.
//!
//! A network file system may keep what is written in memory for a while. If the server is full or
//! gone, only the call that closes the file reports it. Dropping a [`File`] ignores that error, so
//! a part of an output would count as the whole. Flushing to disk would find it, too, but takes
//! milliseconds for each file on every file system.

use std::fs::File;
use std::io;

/// Closes a file. The error says that content was lost.
#[cfg(unix)]
pub(crate) fn close(file: File) -> io::Result<()> {
    nix::unistd::close(file).map_err(io::Error::from)
}

#[cfg(not(unix))]
pub(crate) fn close(file: File) -> io::Result<()> {
    drop(file);
    Ok(())
}

/// Asks as [`close`] does, for a file that stays open, because a lock belongs to it: closing any
/// copy of a descriptor sends the content of the file.
pub(crate) fn check(file: &File) -> io::Result<()> {
    close(file.try_clone()?)
}
