//! `.toolchain`, the folder of everything that is installed into the checkout, and its lock.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use dev_process::{Result, remove, while_trying};

/// An exclusive lock on the folder. Two runs at once would remove each other's files; the system
/// releases the lock when this value is dropped or the process ends.
pub(crate) struct State {
    folder: PathBuf,
    _lock: File,
}

impl State {
    /// Returns the folder of the checkout at `root`.
    pub(crate) fn folder(root: &Path) -> PathBuf {
        root.join(".toolchain")
    }

    /// Waits until no other run installs.
    pub(crate) fn lock(root: &Path) -> Result<Self> {
        let folder = Self::folder(root);
        fs::create_dir_all(&folder).map_err(while_trying("create", &folder))?;
        let path = folder.join("lock");
        let file = File::create(&path).map_err(while_trying("create", &path))?;
        if file.try_lock().is_err() {
            println!("waiting for another run that installs");
            file.lock().map_err(while_trying("lock", &path))?;
        }
        Ok(Self { folder, _lock: file })
    }

    /// Returns a path below the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Makes an empty folder to build something in, instead of one that an interrupted run left
    /// there.
    pub(crate) fn scratch(&self, name: &str) -> Result<Scratch> {
        let folder = self.folder.join(format!("tmp-{name}"));
        remove(&folder)?;
        fs::create_dir_all(&folder).map_err(while_trying("create", &folder))?;
        Ok(Scratch(folder))
    }
}

/// A folder that is removed with this value, as the remains of a failed installation may be large.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// Returns the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A failure is not reported: the next run that wants the name removes the folder, or
        // reports why it cannot.
        drop(remove(&self.0));
    }
}
