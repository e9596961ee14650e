//! Turns at sending a blob, so only one process on this machine sends it.

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::Duration;

use super::folder::{Notes, open};

/// Pause between two looks at whether the turn has come.
const PAUSE: Duration = Duration::from_millis(20);

/// The turn of this process. The kernel ends it with the process, so nobody waits for the dead.
#[derive(Debug)]
pub(crate) struct Turn {
    path: PathBuf,
    _lock: File,
}

impl Notes {
    /// Waits for the turn at sending a blob, for `limit` at most. `None` says that there are no
    /// turns or that the holder of one takes too long: then the blob is sent all the same, and
    /// being sent twice does no harm.
    pub(crate) async fn turn(&self, server: &str, blob: &str, limit: Duration) -> Option<Turn> {
        let path = self.path("send", &format!("{server}\n{blob}"))?;
        let lock = open(&path).ok()?;
        let waiting = async {
            while lock.try_lock().is_err() {
                tokio::time::sleep(PAUSE).await;
            }
        };
        tokio::time::timeout(limit, waiting).await.ok()?;
        Some(Turn { path, _lock: lock })
    }
}

/// The next process has the file open already, and has its turn when this lock ends.
impl Drop for Turn {
    fn drop(&mut self) {
        drop(fs::remove_file(&self.path));
    }
}

#[cfg(test)]
mod tests {
    use super::super::folder::tests::folder;
    use super::*;

    #[test]
    fn one_has_the_turn_and_the_next_gets_it() {
        let (path, notes) = folder("turns");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let soon = Duration::from_millis(60);
        let turn = |blob: &str| runtime.block_on(notes.turn("server", blob, soon));
        let first = turn("blob");
        assert!(first.is_some() && turn("blob").is_none() && turn("other").is_some());
        drop(first);
        assert!(turn("blob").is_some());
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
        fs::remove_dir_all(path).unwrap();
    }
}
