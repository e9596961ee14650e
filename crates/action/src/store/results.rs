//! Looks up results, and keeps them.

use std::io;
use std::path::{Path, PathBuf};

use weft_artifact::Artifact as _;

use crate::clock;
use crate::key::{self, Key};
use crate::size::Size;
use crate::store::entry::Entry;
use crate::store::files::{self, SharedFolder};
use crate::store::history::History;
use crate::store::room;

/// A cache folder. Nothing is touched until something is read or written.
#[derive(Clone, Debug)]
pub struct Store {
    folder: SharedFolder,
    limit: Size,
}

/// Result of a lookup.
#[derive(Debug)]
pub enum Found {
    /// The result, and the number of bytes that were read.
    Entry(Box<Entry>, u64),
    /// No result.
    Nothing,
    /// A file that is not what was written. It is removed.
    Damaged,
    /// No result, because its file was damaged and was removed before.
    WasDamaged,
    /// A file that cannot be read.
    Unreadable,
}

impl Store {
    /// Creates a handle of the cache in `folder`, whose maximum size is `limit`.
    pub fn new(folder: impl Into<PathBuf>, limit: Size) -> Self {
        Self { folder: SharedFolder::new(folder.into()), limit }
    }

    /// Returns the folder's path.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Says whether the folder can be written, or made where it does not exist, without a trace.
    pub fn check_writable(&self) -> io::Result<()> {
        let folder = std::path::absolute(self.folder())?;
        let nearest = folder.ancestors().find(|folder| folder.exists());
        tempfile::tempfile_in(nearest.unwrap_or(&folder)).map(drop)
    }

    /// Returns the folder, to work with its files.
    pub(crate) fn shared(&self) -> &SharedFolder {
        &self.folder
    }

    /// Returns the maximum size.
    pub fn limit(&self) -> Size {
        self.limit
    }

    /// Looks for a result. A result that is found becomes the most recently used one.
    pub fn look_up(&self, key: &Key) -> io::Result<Found> {
        let path = self.entry_path(key);
        let (content, file) = match files::read_open(&path) {
            Ok(opened) => opened,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let was_damaged = self.note_of_damage(key).exists();
                return Ok(if was_damaged { Found::WasDamaged } else { Found::Nothing });
            }
            // Another user's private file counts as missing for this user, and their result is as
            // good.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                return Ok(Found::Unreadable);
            }
            // A folder, a link or the like is in the result's place.
            Err(_) if path.symlink_metadata().is_ok_and(|data| !data.is_file()) => {
                self.drop_entry(key);
                return Ok(Found::Damaged);
            }
            Err(error) => return Err(error),
        };
        let Some(entry) = decode(key, &content) else {
            self.drop_entry(key);
            return Ok(Found::Damaged);
        };
        // In a folder that may only be read, the result keeps its age.
        let _ = file.set_modified(clock::now());
        Ok(Found::Entry(Box::new(entry), content.len() as u64))
    }

    /// Removes a result that fails its check. A file that cannot be removed is replaced later.
    pub(crate) fn drop_entry(&self, key: &Key) {
        if std::fs::remove_file(self.entry_path(key)).is_ok() {
            self.note_damage(key);
        }
    }

    /// Leaves a note that a damaged result was removed, for an explanation to whoever misses it.
    /// Without the note the explanation is less precise.
    pub(crate) fn note_damage(&self, key: &Key) {
        let _ = self.folder.write(&self.note_of_damage(key), &[]);
    }

    /// Keeps a result and returns its size in bytes. A result that is larger than the cache is not
    /// kept.
    pub fn keep(&self, key: &Key, entry: &Entry) -> io::Result<u64> {
        let content = entry.encode().map_err(io::Error::other)?;
        let bytes = content.len() as u64;
        if bytes > self.limit.0 {
            return Ok(0);
        }
        self.folder.prepare()?;
        let path = self.entry_path(key);
        let shard = path.parent().unwrap_or(self.folder());
        let file = self.folder.prepared(shard, &content)?;
        let put = || match file.persist(&path) {
            Ok(_) => Ok(()),
            // Another user has kept the result meanwhile, and their file cannot be replaced.
            Err(failed) if files::is_refusal(&failed.error) && path.exists() => Ok(()),
            Err(failed) => Err(failed.error),
        };
        let has_no_room = room::charge_for(&self.folder, self.limit, bytes, put)?;
        let _ = std::fs::remove_file(self.note_of_damage(key));
        if has_no_room {
            self.make_room()?;
        }
        Ok(bytes)
    }

    /// Drops the least recently used files until the cache is well below its limit, and returns the
    /// number of bytes that were dropped. While another process does that, this does nothing.
    pub fn make_room(&self) -> io::Result<Size> {
        room::make_room(&self.folder, self.limit)
    }

    /// Returns why results in the folder are not to be trusted; `None` if they are, or if there is
    /// no folder.
    pub fn distrust(&self) -> Option<String> {
        self.folder.distrust()
    }

    /// Returns the last runs of a phase of a subject. A history that cannot be read counts as
    /// empty.
    pub fn history(&self, phase: &str, subject: &str) -> History {
        let content = files::read(&self.history_path(phase, subject)).unwrap_or_default();
        History::decode(&content).unwrap_or_default()
    }

    /// Writes the last runs of a phase of a subject. If two processes write at once, one write is
    /// lost, which only makes an explanation less precise.
    pub fn remember(&self, phase: &str, subject: &str, history: &History) -> io::Result<()> {
        let content = history.encode().map_err(io::Error::other)?;
        match self.folder.write(&self.history_path(phase, subject), &content) {
            // The file is another user's, in a folder where only they can replace it.
            Err(error) if files::is_refusal(&error) => Ok(()),
            result => result,
        }
    }

    fn entry_path(&self, key: &Key) -> PathBuf {
        let name = key.0.to_hex();
        self.folder.root().join("entries").join(&name[..2]).join(name.as_str())
    }

    fn note_of_damage(&self, key: &Key) -> PathBuf {
        let name = key.0.to_hex();
        self.folder.root().join("damaged").join(&name[..2]).join(name.as_str())
    }

    fn history_path(&self, phase: &str, subject: &str) -> PathBuf {
        let name = weft_artifact::digest(format!("{phase}\0{subject}").as_bytes()).to_hex();
        self.folder.root().join("history").join(&name[..2]).join(name.as_str())
    }
}

/// Decodes `content`, unless it is not what was written under `key`.
pub(super) fn decode(key: &Key, content: &[u8]) -> Option<Entry> {
    let entry = Entry::decode(content).ok()?;
    (key::key(&entry.fields) == *key).then_some(entry)
}
