//! The folders that programs run in, and the removal of those that dead jobs have left.
//!
//! A job that is killed leaves its folder in the temporary directory, where it would stay forever.
//! So the next job removes the folders of dead jobs. A process number in the folder's name would
//! not tell whether the owner is alive, as another process may have that number by now. Instead an
//! owner holds a lock on its folder, which the system releases when the owner ends for any reason.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Once;

use rustix::fs::OFlags;
use tempfile::TempDir;

/// Prefix of the folders' names.
const PREFIX: &str = "weft-job-";

/// Returns the temporary directory. As for most programs, an empty `TMPDIR` counts as not set.
pub fn temporary_folder() -> PathBuf {
    let named = std::env::temp_dir();
    if named.as_os_str().is_empty() { PathBuf::from("/tmp") } else { named }
}

/// A new folder in the temporary directory, which is removed when this value is dropped.
#[derive(Debug)]
pub struct Scratch {
    folder: TempDir,
    /// The lock is released after the folder is removed: fields are dropped in their order.
    _lock: File,
}

impl Scratch {
    /// Makes a folder. The first call of a process removes the folders of dead owners.
    pub fn new() -> io::Result<Self> {
        static ONCE: Once = Once::new();
        let parent = std::path::absolute(temporary_folder())?;
        let scratch = Self::new_in(&parent)?;
        ONCE.call_once(|| remove_abandoned(&parent));
        Ok(scratch)
    }

    fn new_in(parent: &Path) -> io::Result<Self> {
        loop {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
            // Until the folder is locked, another process that is just starting takes it for a dead
            // owner's: it may be gone already, or locked, or both.
            let lock = match open(folder.path()) {
                Ok(lock) => lock,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => continue,
                // Some file systems have no locks. Then no other process can lock this folder
                // either.
                Err(TryLockError::Error(_)) => return Ok(Self { folder, _lock: lock }),
            }
            if is_at(&lock, folder.path()) {
                return Ok(Self { folder, _lock: lock });
            }
        }
    }

    /// Returns the folder's path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the folders in `parent` that processes of the same user made and did not live to remove.
/// A folder that cannot be removed stays: it is no reason not to do the work.
fn remove_abandoned(parent: &Path) {
    let user = rustix::process::geteuid().as_raw();
    let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
    let is_scratch =
        |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(PREFIX.as_bytes());
    let paths: Vec<PathBuf> =
        entries.filter(|entry| is_scratch(&entry.file_name())).map(|entry| entry.path()).collect();
    for path in paths {
        let Ok(folder) = open(&path) else { continue };
        let is_own = folder.metadata().is_ok_and(|data| data.uid() == user);
        if is_own && folder.try_lock().is_ok() && is_at(&folder, &path) {
            let _ = std::fs::remove_dir_all(&path);
        }
    }
}

/// Opens a folder and nothing else: no link to one, and nothing that waits for its other end.
fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW;
    let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// Whether `path` still names the folder that was opened.
fn is_at(folder: &File, path: &Path) -> bool {
    match (folder.metadata(), std::fs::symlink_metadata(path)) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_without_a_living_owner_are_removed() -> io::Result<()> {
        let parent = tempfile::tempdir()?;
        let at = |name: &str| parent.path().join(name);
        let living = Scratch::new_in(parent.path())?;
        for name in ["weft-job-dead/deep/er", "weft-other", "elsewhere"] {
            std::fs::create_dir_all(at(name))?;
        }
        std::fs::write(at("weft-job-dead/deep/file"), b"1")?;
        std::fs::write(at("elsewhere/file"), b"1")?;
        std::fs::write(at("weft-job-file"), b"1")?;
        std::os::unix::fs::symlink(at("elsewhere"), at("weft-job-link"))?;
        // Whoever opens this waits until another process writes to it.
        let (kind, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR);
        rustix::fs::mknodat(rustix::fs::CWD, at("weft-job-fifo"), kind, mode, 0)?;
        std::os::unix::fs::symlink(at("elsewhere"), at("weft-job-dead/link"))?;
        remove_abandoned(parent.path());
        assert!(!at("weft-job-dead").exists());
        for name in
            ["weft-other", "elsewhere/file", "weft-job-file", "weft-job-link/file", "weft-job-fifo"]
        {
            assert!(at(name).exists(), "{name}");
        }
        let path = living.path().to_owned();
        assert!(path.is_dir());
        drop(living);
        assert!(!path.exists());
        Ok(())
    }

    #[test]
    fn a_folder_is_known_again_and_no_other_in_its_place() -> io::Result<()> {
        let parent = tempfile::tempdir()?;
        let path = parent.path().join("folder");
        std::fs::create_dir(&path)?;
        let folder = open(&path)?;
        assert!(is_at(&folder, &path));
        std::fs::rename(&path, parent.path().join("moved"))?;
        assert!(!is_at(&folder, &path));
        std::fs::create_dir(&path)?;
        assert!(!is_at(&folder, &path));
        Ok(())
    }

    /// A folder that is new and not yet locked looks as if its owner were dead.
    #[test]
    fn a_folder_that_is_made_while_others_look_is_whole() -> io::Result<()> {
        let parent = tempfile::tempdir()?;
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        for _ in 0..50 {
                            let scratch = Scratch::new_in(parent.path())?;
                            remove_abandoned(parent.path());
                            std::fs::write(scratch.path().join("file"), b"1")?;
                        }
                        Ok(())
                    })
                })
                .collect();
            threads.into_iter().try_for_each(|thread| thread.join().unwrap_or(Ok(())))
        })
    }
}
