//! `.toolchain`: the folder of what is installed into the checkout, and its lock.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use dev_process::{Result, remove, while_trying};

/// The right to change what is installed. Two runs at once would remove each other's files; the
/// system ends the lock when this value or the process ends.
pub(crate) struct State {
    folder: PathBuf,
    _lock: File,
}

impl State {
    /// The folder of the checkout at `root`.
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

    /// A path below the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// An empty folder to build something in; what a run that was stopped left there is removed.
    pub(crate) fn scratch(&self, name: &str) -> Result<Scratch> {
        let folder = self.folder.join(format!("tmp-{name}"));
        remove(&folder)?;
        fs::create_dir_all(&folder).map_err(while_trying("create", &folder))?;
        Ok(Scratch(folder))
    }
}

/// A folder that is removed with this value: what a failed install leaves may be large.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nobody needs it to be gone: the next run that wants the name removes it, or says why not.
        drop(remove(&self.0));
    }
}
