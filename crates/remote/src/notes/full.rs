//! Notes that a server has no room.
//!
//! Such a server still has results, so it is asked for them. Nothing is sent to it until the note
//! is over: an executable of 40 MB would be refused for each step of a build.

use std::time::Duration;

use super::folder::{Notes, age, read};

/// Time for which a server counts as full.
pub(crate) const FULL_FOR: Duration = Duration::from_mins(1);

impl Notes {
    /// Notes that `server` has no room.
    pub(crate) fn note_full(&self, server: &str, reason: &str) {
        self.write("full", server, reason.as_bytes());
    }

    /// Returns why `server` took nothing a short time ago; `None` if it did, or nobody tried.
    pub(crate) fn full(&self, server: &str) -> Option<String> {
        let note = read(&self.path("full", server)?)?;
        let is_recent = age(note.written)? < FULL_FOR;
        String::from_utf8(note.content).ok().filter(|_| is_recent)
    }
}

#[cfg(test)]
mod tests {
    use super::super::folder::tests::folder;
    use super::super::folder::{now, open};
    use super::*;

    #[test]
    fn a_server_is_full_for_a_time() {
        let (path, notes) = folder("full");
        assert_eq!(notes.full("server"), None);
        notes.note_full("server", "reason");
        assert_eq!(notes.full("server").as_deref(), Some("reason"));
        assert_eq!(notes.full("other"), None);
        let note = notes.path("full", "server").unwrap();
        open(&note).unwrap().set_modified(now() - FULL_FOR).unwrap();
        assert_eq!(notes.full("server"), None);
        std::fs::remove_dir_all(path).unwrap();
    }
}
