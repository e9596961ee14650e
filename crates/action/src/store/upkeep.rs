//! What a person asks of the cache: how much it holds, whether it is sound, to be empty.

use std::io;

use super::files::{is_folder, is_refusal, list, read};
use super::{Store, decode};
use crate::Size;
use crate::claim::{Check, check_entry};
use crate::key::Key;

/// Beginning of the names of folders on their way out.
const CLEARED: &str = "weft-cleared-";

/// How much a cache holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Census {
    /// Results.
    pub entries: u64,
    /// All of its files together.
    pub bytes: Size,
}

/// What checking every entry found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Entries that are what was written.
    pub sound: u64,
    /// Entries that were not, and are removed.
    pub damaged: u64,
    /// Number of entries of other users that cannot be read, or are not sound and cannot be
    /// removed.
    pub left: u64,
}

impl Store {
    /// Counts.
    pub fn census(&self) -> io::Result<Census> {
        let files = self.files()?;
        let entries = files.iter().filter(|file| self.key_of(&file.path).is_some()).count();
        Ok(Census {
            entries: entries as u64,
            bytes: Size(files.iter().map(|file| file.bytes).sum()),
        })
    }

    /// Reads every entry, and removes those that are not what was written and those that `check`
    /// rejects.
    pub fn verify(&self, check: Check) -> io::Result<Verified> {
        let is_sound = |key: &Key, content: &[u8]| {
            decode(key, content).is_some_and(|entry| check_entry(check, &entry).is_ok())
        };
        let mut verified = Verified::default();
        for file in self.files()? {
            let Some(key) = self.key_of(&file.path) else { continue };
            match read(&file.path) {
                Ok(content) if is_sound(&key, &content) => verified.sound += 1,
                Ok(_) => match std::fs::remove_file(&file.path) {
                    Err(error) if is_refusal(&error) => verified.left += 1,
                    result => {
                        result?;
                        verified.damaged += 1;
                    }
                },
                // Another process made room.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) if is_refusal(&error) => verified.left += 1,
                Err(error) => return Err(error),
            }
        }
        Ok(verified)
    }

    /// Removes everything that Weft put into the folder; says how much that was.
    pub fn clear(&self) -> io::Result<Size> {
        let bytes = self.census()?.bytes;
        if is_folder(&self.root()) {
            // Moved first: a process that keeps a result meanwhile makes a folder of its own.
            let aside = tempfile::Builder::new().prefix(CLEARED).tempdir_in(self.folder())?;
            std::fs::rename(self.root(), aside.path().join("cache"))?;
            aside.close()?;
        }
        // What a process that was killed in the middle of this has left.
        for path in list(self.folder())? {
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            if name.starts_with(CLEARED.as_bytes()) && is_folder(&path) {
                std::fs::remove_dir_all(&path)?;
            }
        }
        Ok(bytes)
    }

    /// The key that an entry's name stands for; `None` for files of other sorts.
    fn key_of(&self, path: &std::path::Path) -> Option<Key> {
        if !path.starts_with(self.root().join("entries")) {
            return None;
        }
        blake3::Hash::from_hex(path.file_name()?.to_str()?).ok().map(Key)
    }
}
