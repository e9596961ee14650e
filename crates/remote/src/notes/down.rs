//! Notes that a server is down.
//!
//! The first process that finds a server dead or silent writes one, and all others skip the server
//! until the note expires. Then one process tries again, while the others still skip it. Each
//! failure in a row doubles the time. The first answer removes the note.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use super::folder::{Notes, age, open, read};

/// Time for which a server counts as down after its first failure.
const FIRST: Duration = Duration::from_mins(1);
/// Longest such time.
const LONGEST: Duration = Duration::from_mins(10);

/// Whether to try a server.
#[derive(Debug)]
pub(crate) enum Attempt {
    /// Try it. With a lock, other processes pass the server over until the lock is dropped.
    Now(Option<File>),
    /// Pass it over, for this reason.
    Later(String),
}

/// A note as it is kept: the number of failures in a row, and the reason of the last.
struct Down {
    failures: u32,
    reason: String,
    written: SystemTime,
}

impl Down {
    fn lasts(&self) -> Duration {
        let doubled = FIRST.saturating_mul(1 << self.failures.saturating_sub(1).min(10));
        doubled.min(LONGEST)
    }

    fn is_over(&self) -> bool {
        age(self.written).is_none_or(|age| age >= self.lasts())
    }
}

impl Notes {
    /// Says whether to try `server`.
    pub(crate) fn attempt(&self, server: &str) -> Attempt {
        let Some(down) = self.down(server) else { return Attempt::Now(None) };
        if !down.is_over() {
            return Attempt::Later(down.reason);
        }
        let lock = self.path("try", server).and_then(|path| open(&path).ok());
        match lock {
            Some(lock) if lock.try_lock().is_err() => Attempt::Later(down.reason),
            // Another process may have tried since the note was read.
            Some(lock) => match self.down(server) {
                Some(down) if !down.is_over() => Attempt::Later(down.reason),
                _ => Attempt::Now(Some(lock)),
            },
            None => Attempt::Now(None),
        }
    }

    /// Notes that `server` is down. Failures that several processes meet at the same time count as
    /// one.
    pub(crate) fn note_down(&self, server: &str, reason: &str) {
        let before = self.down(server).filter(|down| age(down.written).is_some());
        let failures = match before {
            Some(down) if !down.is_over() => return,
            Some(down) => down.failures.saturating_add(1),
            None => 1,
        };
        self.tidy();
        self.write("down", server, format!("{failures}\n{reason}").as_bytes());
    }

    /// Removes the note about `server`, as it has answered.
    pub(crate) fn note_up(&self, server: &str) {
        if let Some(path) = self.path("down", server) {
            drop(fs::remove_file(path));
        }
    }

    /// Whether the build `invocation` has not said yet that `server` is down, which this call says.
    /// Where no build is known, a process says it again when the first note would be over.
    pub(crate) fn is_news(&self, server: &str, invocation: &str, is_build: bool) -> bool {
        let Some(path) = self.path("said", &format!("{server}\n{invocation}")) else {
            return true;
        };
        let said = fs::metadata(&path).and_then(|data| data.modified()).ok();
        let is_over = said.is_some_and(|said| !is_build && age(said).is_none_or(|age| age > FIRST));
        if is_over {
            drop(fs::remove_file(&path));
        }
        match File::create_new(&path) {
            Err(error) => error.kind() != std::io::ErrorKind::AlreadyExists,
            Ok(_) => true,
        }
    }

    fn down(&self, server: &str) -> Option<Down> {
        let note = read(&self.path("down", server)?)?;
        let text = String::from_utf8(note.content).ok()?;
        let (failures, reason) = text.split_once('\n')?;
        let failures = failures.parse().ok()?;
        Some(Down { failures, reason: reason.to_owned(), written: note.written })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::folder::now;
    use super::super::folder::tests::folder;
    use super::*;

    fn is_tried(notes: &Notes) -> bool {
        matches!(notes.attempt("server"), Attempt::Now(_))
    }

    fn written(notes: &Notes, time: SystemTime) {
        open(&notes.path("down", "server").unwrap()).unwrap().set_modified(time).unwrap();
    }

    #[test]
    fn a_server_is_passed_over_until_its_time_is_over_or_it_answers() {
        let (path, notes) = folder("down");
        assert!(is_tried(&notes));
        notes.note_down("server", "reason");
        assert!(matches!(notes.attempt("server"), Attempt::Later(reason) if reason == "reason"));
        assert!(matches!(notes.attempt("other"), Attempt::Now(None)));
        notes.note_up("server");
        assert!(is_tried(&notes));
        notes.note_down("server", "reason");
        written(&notes, now() - FIRST);
        let Attempt::Now(lock @ Some(_)) = notes.attempt("server") else { panic!("it is over") };
        assert!(!is_tried(&notes), "one process tries");
        notes.note_down("server", "again");
        drop(lock);
        written(&notes, now() - FIRST);
        assert!(!is_tried(&notes), "a second failure lasts longer");
        written(&notes, now() - FIRST * 2);
        assert!(is_tried(&notes));
        fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn a_note_from_the_future_or_a_damaged_one_is_none() {
        let (path, notes) = folder("future");
        notes.note_down("server", "reason");
        written(&notes, now() + Duration::from_hours(5));
        assert!(is_tried(&notes));
        notes.note_down("server", "reason");
        assert!(!is_tried(&notes), "a new failure replaces it");
        let note = notes.path("down", "server").unwrap();
        let whole = fs::read(&note).unwrap();
        for damaged in [&whole[..whole.len() - 1], b"", &[0; 64]] {
            fs::write(&note, damaged).unwrap();
            assert!(is_tried(&notes));
        }
        fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn a_build_says_it_once_and_others_again_later() {
        let (path, notes) = folder("news");
        assert!(notes.is_news("server", "build", true));
        assert!(!notes.is_news("server", "build", true));
        assert!(notes.is_news("server", "other build", true));
        assert!(notes.is_news("other server", "build", true));
        let said = notes.path("said", "server\nbuild").unwrap();
        open(&said).unwrap().set_modified(now() - FIRST * 2).unwrap();
        assert!(!notes.is_news("server", "build", true));
        assert!(notes.is_news("server", "build", false));
        assert!(!notes.is_news("server", "build", false));
        fs::remove_dir_all(path).unwrap();
    }

    #[test]
    fn a_folder_that_cannot_be_written_holds_no_notes() {
        let nowhere = Notes::new(Some(Path::new("/nowhere/at/all")));
        for notes in [nowhere, Notes::default()] {
            notes.note_offer("server", b"content");
            assert_eq!(notes.offered("server"), None);
            notes.note_down("server", "reason");
            assert!(matches!(notes.attempt("server"), Attempt::Now(_)));
            assert!(notes.is_news("server", "build", true));
        }
    }
}
