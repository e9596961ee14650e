//! The folder of notes, and the notes about what servers offer.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::random;

/// Age from which a note is of no use to anybody.
const FORGOTTEN: Duration = Duration::from_hours(24);
/// Time for which the capabilities of a server are believed.
const OFFERED_FOR: Duration = Duration::from_mins(10);

/// A folder of notes, which only this user can write to; or none, and then all notes are missing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    folder: Option<PathBuf>,
}

/// The content of a note, and the time when it was written.
pub(super) struct Note {
    pub(super) written: SystemTime,
    pub(super) content: Vec<u8>,
}

impl Notes {
    pub(crate) fn new(folder: Option<&Path>) -> Self {
        Self { folder: folder.map(Path::to_owned) }
    }

    /// Returns what `server` has offered, as it was noted a short time ago.
    pub(crate) fn offered(&self, server: &str) -> Option<Vec<u8>> {
        let note = read(&self.path("offer", server)?)?;
        (age(note.written)? < OFFERED_FOR).then_some(note.content)
    }

    /// Notes what `server` offers.
    pub(crate) fn note_offer(&self, server: &str, content: &[u8]) {
        self.write("offer", server, content);
    }

    /// Forgets what `server` offers, as a call to it has failed.
    pub(crate) fn forget_offer(&self, server: &str) {
        if let Some(path) = self.path("offer", server) {
            drop(fs::remove_file(path));
        }
    }

    /// Returns the path of a note about `subject`, which may hold any characters.
    pub(super) fn path(&self, kind: &str, subject: &str) -> Option<PathBuf> {
        let name = blake3::hash(subject.as_bytes()).to_hex();
        Some(self.folder.as_ref()?.join(format!("{kind}-{}", &name[..32])))
    }

    /// Writes a note whole or not at all.
    pub(super) fn write(&self, kind: &str, subject: &str, content: &[u8]) {
        let (Some(folder), Some(path)) = (&self.folder, self.path(kind, subject)) else { return };
        let aside = folder.join(format!("new-{:016x}", random::number()));
        let content = [blake3::hash(content).as_bytes(), content].concat();
        let written = fs::write(&aside, content).and_then(|()| fs::rename(&aside, path));
        if written.is_err() {
            drop(fs::remove_file(&aside));
        }
    }

    /// Removes what nobody has written for a long time.
    pub(super) fn tidy(&self) {
        let entries = self.folder.as_ref().and_then(|folder| fs::read_dir(folder).ok());
        for entry in entries.into_iter().flatten().flatten() {
            let written = entry.metadata().and_then(|data| data.modified());
            if written.ok().and_then(age).is_some_and(|age| age > FORGOTTEN) {
                drop(fs::remove_file(entry.path()));
            }
        }
    }
}

/// Reads a note; `None` if it is damaged.
pub(super) fn read(path: &Path) -> Option<Note> {
    let written = fs::metadata(path).and_then(|data| data.modified()).ok()?;
    let bytes = fs::read(path).ok()?;
    let (hash, content) = bytes.split_at_checked(32)?;
    let is_whole = blake3::hash(content).as_bytes() == hash;
    is_whole.then(|| Note { written, content: content.to_vec() })
}

/// Returns the age of a time of this folder; `None` if it is in the future, because the clock was
/// set back.
pub(super) fn age(written: SystemTime) -> Option<Duration> {
    now().duration_since(written).ok()
}

#[expect(clippy::disallowed_methods, reason = "the age of notes, never an output")]
pub(super) fn now() -> SystemTime {
    SystemTime::now()
}

/// Opens a file to lock it, and creates it if it is missing.
pub(super) fn open(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create(true).truncate(false).open(path)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::notes) fn folder(name: &str) -> (PathBuf, Notes) {
        let name = format!("weft-notes-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        drop(fs::remove_dir_all(&path));
        fs::create_dir(&path).unwrap();
        (path.clone(), Notes::new(Some(&path)))
    }

    #[test]
    fn an_offer_is_believed_while_it_is_young_and_whole() {
        let (path, notes) = folder("offer");
        assert_eq!(notes.offered("server"), None);
        notes.note_offer("server", b"content");
        assert_eq!(notes.offered("server").as_deref(), Some(&b"content"[..]));
        assert_eq!(notes.offered("other"), None);
        let note = notes.path("offer", "server").unwrap();
        for written in [now() - OFFERED_FOR, now() + Duration::from_hours(1)] {
            open(&note).unwrap().set_modified(written).unwrap();
            assert_eq!(notes.offered("server"), None);
        }
        for damaged in [&b""[..], b"content", &[7; 40]] {
            fs::write(&note, damaged).unwrap();
            assert_eq!(notes.offered("server"), None);
        }
        notes.note_offer("server", b"content");
        notes.forget_offer("server");
        assert_eq!(notes.offered("server"), None);
        open(&note).unwrap().set_modified(now() - FORGOTTEN * 2).unwrap();
        notes.tidy();
        assert!(!note.exists());
        fs::remove_dir_all(path).unwrap();
    }
}
