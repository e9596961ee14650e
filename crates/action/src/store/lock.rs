//! Locks of files in a cache, for which nobody waits forever.
//!
//! The owner of a lock may be suspended, or be a user who means harm. No job may hang then, so
//! after some seconds a lock counts as unavailable, and the cache as not writable.

use std::fs::{File, TryLockError};
use std::io;
use std::thread::sleep;
use std::time::Duration;

/// Time between two attempts. Owners hold a lock for less.
const PAUSE: Duration = Duration::from_millis(2);
/// Number of attempts: five seconds of them. Many jobs that keep results at once need less.
const ATTEMPTS: u32 = 2500;

/// Locks a file alone.
pub(crate) fn lock(file: &File) -> io::Result<()> {
    in_time(|| file.try_lock())
}

/// Locks a file in common with others.
pub(crate) fn lock_shared(file: &File) -> io::Result<()> {
    in_time(|| file.try_lock_shared())
}

fn in_time(try_lock: impl Fn() -> Result<(), TryLockError>) -> io::Result<()> {
    for _ in 0..ATTEMPTS {
        match try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => sleep(PAUSE),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    let what = "another process has held its lock for 5 s";
    Err(io::Error::new(io::ErrorKind::TimedOut, what))
}
