//! Requests of people about the cache: its size, a check of all results, and its removal.

use std::io;

use crate::claim::{Check, check_outputs};
use crate::key::{FieldKind, Key};
use crate::size::Size;
use crate::store::entry::Entry;
use crate::store::files::{is_folder, is_refusal, list, read};
use crate::store::results::{Store, decode};
use crate::store::room::files;

/// Prefix of the names of folders that are being removed.
const CLEARED: &str = "weft-cleared-";

/// Contents of a cache, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Census {
    /// Number of results.
    pub entries: u64,
    /// Total size of all files.
    pub bytes: Size,
}

/// Findings of a check of every entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Number of entries that are sound.
    pub sound: u64,
    /// Number of entries that were damaged, and are removed.
    pub damaged: u64,
    /// Number of entries of other users that cannot be read, or are not sound and cannot be
    /// removed.
    pub left: u64,
}

impl Store {
    /// Counts the contents.
    pub fn census(&self) -> io::Result<Census> {
        let files = files(self.shared())?;
        let entries = files.iter().filter(|file| self.key_of(&file.path).is_some()).count();
        Ok(Census {
            entries: entries as u64,
            bytes: Size(files.iter().map(|file| file.bytes).sum()),
        })
    }

    /// Reads every entry, and removes those that are damaged and those that `check` rejects.
    pub fn verify(&self, check: Check) -> io::Result<Verified> {
        let is_sound = |key: &Key, content: &[u8]| {
            decode(key, content).is_some_and(|entry| check_entry(check, &entry).is_ok())
        };
        let mut verified = Verified::default();
        for file in files(self.shared())? {
            let Some(key) = self.key_of(&file.path) else { continue };
            match read(&file.path) {
                Ok(content) if is_sound(&key, &content) => verified.sound += 1,
                Ok(_) => match std::fs::remove_file(&file.path) {
                    Err(error) if is_refusal(&error) => verified.left += 1,
                    result => {
                        result?;
                        self.note_damage(&key);
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

    /// Removes everything that Weft put into the folder, and returns its size.
    pub fn clear(&self) -> io::Result<Size> {
        let bytes = self.census()?.bytes;
        if is_folder(&self.shared().root()) {
            // The folder is moved first; a process that stores a result meanwhile creates a new
            // one.
            let aside = tempfile::Builder::new().prefix(CLEARED).tempdir_in(self.folder())?;
            std::fs::rename(self.shared().root(), aside.path().join("cache"))?;
            aside.close()?;
        }
        // Processes that were killed during a removal have left such folders.
        for path in list(self.folder())? {
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            if name.starts_with(CLEARED.as_bytes()) && is_folder(&path) {
                std::fs::remove_dir_all(&path)?;
            }
        }
        Ok(bytes)
    }

    /// Returns the key that an entry's name encodes; `None` for files of other kinds.
    fn key_of(&self, path: &std::path::Path) -> Option<Key> {
        if !path.starts_with(self.shared().root().join("entries")) {
            return None;
        }
        blake3::Hash::from_hex(path.file_name()?.to_str()?).ok().map(Key)
    }
}

/// Says what is wrong with `entry` as the result of the action that its fields describe.
fn check_entry(check: Check, entry: &Entry) -> Result<(), String> {
    let of = |kind| entry.fields.iter().filter(move |field| field.kind == kind);
    let names = of(FieldKind::Output).map(|field| field.name.as_str());
    let arguments = of(FieldKind::Argument).map(|field| field.value.as_str()).collect();
    check_outputs(check, arguments, names, &entry.outputs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Field;

    #[test]
    fn each_declared_output_must_be_there() {
        let field = Field { kind: FieldKind::Output, name: "out".to_owned(), value: String::new() };
        let entry = |outputs| Entry {
            fields: vec![field.clone()],
            outputs,
            stdout: vec![],
            stderr: vec![],
            microseconds: 0,
        };
        let by_name: Check = |claim| match claim.outputs[..] {
            [("out", b"right")] => Ok(()),
            _ => Err("wrong".to_owned()),
        };
        assert_eq!(check_entry(by_name, &entry(vec![b"right".to_vec()])), Ok(()));
        assert_eq!(check_entry(by_name, &entry(vec![b"x".to_vec()])), Err("wrong".to_owned()));
        assert!(check_entry(by_name, &entry(vec![])).is_err());
    }
}
