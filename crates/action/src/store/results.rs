//! The local cache: a folder of results, each named by the key of its action.
//!
//! | below `v1/` of the folder | holds |
//! |---|---|
//! | `entries/AB/<key>` | one result, whole: fields, outputs, messages ([`entry`]) |
//! | `history/AB/<digest>` | the fields of the last runs of one phase of one subject ([`history`]) |
//! | `tools/<digest>` | digest of a program, by its inode, size and times, and by who noted it |
//! | `size` | what the entries hold together, about (`room.rs`) |
//! | `stats` | what happened, line by line ([`crate::stats`]) |
//!
//! A result is one file, and not a list of blobs that others share, so that it is there or not: to
//! write it is a rename, to drop it an unlink, and no crash or concurrent clean-up can leave half of
//! one. What sharing would save is little: equal PTX of two keys.
//!
//! Any number of processes use a folder at once. Files appear by rename, so readers see them whole.
//! Nothing is flushed to disk: after a power failure a file may be empty or torn, and every read
//! checks a digest, so such a file is dropped like one that was tampered with. Locks guard the two
//! counters alone and are the kernel's, which lets go of them when a process dies.
//!
//! Users may share a folder; `files.rs` says how. Files in it that no cache has put there stay.

pub mod entry;
pub(crate) mod files;
pub mod history;
mod room;
mod upkeep;

use std::io;
use std::path::{Path, PathBuf};

use weft_artifact::Artifact as _;

use crate::Size;
use crate::clock;
use crate::key::{self, Key};
use entry::Entry;
use history::History;
pub use upkeep::{Census, Verified};

/// The layout's version: others keep to folders of their own.
const LAYOUT: &str = "v1";

/// Prefix of the names of files that are being written.
const TEMPORARY: &str = ".weft-";

/// Marks a folder that backups leave out, by a convention of many tools.
const TAG: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# The cache of Weft's executables.\n";

/// A cache folder. Nothing is touched until something is read or written.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
    limit: Size,
}

/// What the cache has for a key.
#[derive(Debug)]
pub enum Found {
    /// The result, and the bytes that were read.
    Entry(Box<Entry>, u64),
    /// Nothing.
    Nothing,
    /// Something that is not what was written: it is removed.
    Damaged,
}

impl Store {
    /// The cache in `folder`, which may hold `limit`.
    pub fn new(folder: impl Into<PathBuf>, limit: Size) -> Self {
        Self { folder: folder.into(), limit }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The most that it may hold.
    pub fn limit(&self) -> Size {
        self.limit
    }

    /// Looks for a result. One that is used becomes the youngest.
    pub fn look_up(&self, key: &Key) -> io::Result<Found> {
        let path = self.entry_path(key);
        let (content, file) = match files::read_open(&path) {
            Ok(opened) => opened,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
            // Another user's private file counts as missing for this user, and their result is as
            // good.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                return Ok(Found::Nothing);
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
        // A folder of others may be read and not touched: then this result only looks older.
        let _ = file.set_modified(clock::now());
        Ok(Found::Entry(Box::new(entry), content.len() as u64))
    }

    /// Removes a result that is not what its action makes. A file that cannot be removed is
    /// replaced.
    pub(crate) fn drop_entry(&self, key: &Key) {
        let _ = std::fs::remove_file(self.entry_path(key));
    }

    /// Keeps a result; says how many bytes that took. One that is larger than the cache is not kept.
    pub fn keep(&self, key: &Key, entry: &Entry) -> io::Result<u64> {
        let content = entry.encode().map_err(io::Error::other)?;
        let bytes = content.len() as u64;
        if bytes > self.limit.0 {
            return Ok(0);
        }
        self.prepare()?;
        let path = self.entry_path(key);
        let shard = path.parent().unwrap_or(&self.folder);
        let file = self.prepared(shard, &content)?;
        let put = || match file.persist(&path) {
            Ok(_) => Ok(()),
            // Another user has kept the result meanwhile, and their file cannot be replaced.
            Err(failed) if files::is_refusal(&failed.error) && path.exists() => Ok(()),
            Err(failed) => Err(failed.error),
        };
        if self.charge_for(bytes, put)? {
            self.make_room()?;
        }
        Ok(bytes)
    }

    /// The last runs of a phase of a subject. A history that cannot be read is an empty one.
    pub fn history(&self, phase: &str, subject: &str) -> History {
        let content = files::read(&self.history_path(phase, subject)).unwrap_or_default();
        History::decode(&content).unwrap_or_default()
    }

    /// Writes the last runs of a phase of a subject. Of two that write at once, one is lost, which
    /// makes an explanation less good and nothing else.
    pub fn remember(&self, phase: &str, subject: &str, history: &History) -> io::Result<()> {
        let content = history.encode().map_err(io::Error::other)?;
        match self.write(&self.history_path(phase, subject), &content) {
            // The file is another user's, in a folder where only they can replace it.
            Err(error) if files::is_refusal(&error) => Ok(()),
            result => result,
        }
    }

    /// The folder of this layout.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.join(LAYOUT)
    }

    /// Makes the folder. What one compiles is nobody else's business, unless they made the folder.
    pub(crate) fn prepare(&self) -> io::Result<()> {
        let root = self.root();
        if files::is_folder(&root) {
            return Ok(());
        }
        make_private(&self.folder)?;
        self.make_folder(&root)?;
        let tag = self.folder.join("CACHEDIR.TAG");
        if tag.exists() { Ok(()) } else { self.write(&tag, TAG.as_bytes()) }
    }

    fn entry_path(&self, key: &Key) -> PathBuf {
        let name = key.0.to_hex();
        self.root().join("entries").join(&name[..2]).join(name.as_str())
    }

    fn history_path(&self, phase: &str, subject: &str) -> PathBuf {
        let name = weft_artifact::digest(format!("{phase}\0{subject}").as_bytes()).to_hex();
        self.root().join("history").join(&name[..2]).join(name.as_str())
    }
}

/// The result that `content` holds, if it is what was written under `key`.
fn decode(key: &Key, content: &[u8]) -> Option<Entry> {
    let entry = Entry::decode(content).ok()?;
    (key::key(&entry.fields) == *key).then_some(entry)
}

fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}
