//! Answers of tools to questions, such as which version of PTX a ptxas takes at most.
//!
//! An answer follows from the tool's content, so the cache keeps it under the digest of that and of
//! the question. To start a tool takes longer than everything else that a job with a result in the
//! cache does.

use weft_artifact::Digest;

use crate::store::{Store, files};
use crate::tool::Tool;
use crate::{tool_digest, whole_tool};

/// Returns the answer of `tool` to `question`, from a note in `store` or from `ask`. `None` if the
/// tool gives no answer, which is not noted.
pub(crate) fn answer(
    store: Option<&Store>,
    tool: &Tool,
    question: &str,
    ask: impl FnOnce() -> Option<String>,
) -> Option<String> {
    let named = store.and_then(|store| Some((store, name(store, tool, question)?)));
    let Some((store, name)) = named else { return ask() };
    let path = store.shared().root().join("tools").join(name.to_hex().as_str());
    if let Some(text) = files::read_own(&path).ok().and_then(|note| noted(&name, &note)) {
        return Some(text);
    }
    let text = ask()?;
    // A note that cannot be written costs time at the next question and nothing else.
    let note_it = || store.shared().write(&path, &as_note(&name, &text));
    let _ = store.shared().prepare().and_then(|()| note_it());
    Some(text)
}

/// Returns the name of the note. `None` if the content of the tool does not determine what it says,
/// or cannot be read.
fn name(store: &Store, tool: &Tool, question: &str) -> Option<Digest> {
    if whole_tool::incompleteness(&[tool]).is_some() {
        return None;
    }
    let digest = tool_digest::digest(&tool.path, Some(store)).ok()?;
    let mut hasher = blake3::Hasher::new_derive_key("Weft: answer of a tool, version 1");
    hasher.update(digest.as_bytes());
    hasher.update(question.as_bytes());
    // In a folder that several users share, each user has private notes and trusts no others.
    #[cfg(unix)]
    hasher.update(&rustix::process::geteuid().as_raw().to_le_bytes());
    Some(hasher.finalize())
}

/// Returns the note: a digest of the answer and the note's name, which reveals damage, and the
/// answer.
fn as_note(name: &Digest, text: &str) -> Vec<u8> {
    [blake3::keyed_hash(name.as_bytes(), text.as_bytes()).as_bytes(), text.as_bytes()].concat()
}

fn noted(name: &Digest, note: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(note.get(32..)?).ok()?;
    (note == as_note(name, text)).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::size::Size;

    #[test]
    fn a_tool_is_asked_once_for_each_question_and_content() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path().join("cache"), Size::DEFAULT);
        let tool = Tool { name: "sh".to_owned(), path: "/bin/sh".into() };
        let of = |store, tool: &Tool, question, text: Option<&str>| {
            answer(store, tool, question, || text.map(str::to_owned))
        };
        let store = Some(&store);
        assert_eq!(of(store, &tool, "version", None), None, "no answer is noted");
        assert_eq!(of(store, &tool, "version", Some("1")).as_deref(), Some("1"));
        assert_eq!(of(store, &tool, "version", Some("2")).as_deref(), Some("1"));
        assert_eq!(of(store, &tool, "name", Some("2")).as_deref(), Some("2"));
        assert_eq!(of(None, &tool, "version", Some("3")).as_deref(), Some("3"));
        let other = Tool { name: "sh".to_owned(), path: "/bin/cat".into() };
        assert_eq!(of(store, &other, "version", Some("4")).as_deref(), Some("4"));
        let script = Tool { name: "sh".to_owned(), path: folder.path().join("script") };
        std::fs::write(&script.path, "#!/bin/sh\n").unwrap();
        for text in ["5", "6"] {
            assert_eq!(of(store, &script, "version", Some(text)).as_deref(), Some(text));
        }
    }

    #[test]
    fn a_damaged_note_is_none() {
        let name = blake3::hash(b"note");
        let note = as_note(&name, "9.5");
        assert_eq!(noted(&name, &note).as_deref(), Some("9.5"));
        assert_eq!(noted(&blake3::hash(b"other"), &note), None);
        assert_eq!(noted(&name, &note[..20]), None);
        for position in 0..note.len() {
            let mut damaged = note.clone();
            damaged[position] ^= 1;
            assert_eq!(noted(&name, &damaged), None, "{position}");
        }
    }
}
