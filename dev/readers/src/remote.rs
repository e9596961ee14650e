//! Readers of the answers of clusters and caches.

use weft_remote::{RemoteAction, answers};

/// An action whose outputs have the names in the answers that seed the search.
fn action() -> RemoteAction {
    let outputs = vec!["linked.bc".to_owned(), "module.ptx".to_owned()];
    RemoteAction { outputs, ..RemoteAction::default() }
}

/// Reads the capabilities of a server.
pub fn answer_capabilities(input: &[u8]) -> bool {
    answers::capabilities(input).is_ok()
}

/// Reads compressed content.
pub fn answer_frames(input: &[u8]) -> bool {
    /// Size that the content is expected to have.
    const SIZE: u64 = 1 << 20;
    let content = answers::frames(input, SIZE);
    assert!(content.len() as u64 <= SIZE + 1);
    !content.is_empty()
}

/// Reads a message about a running execution.
pub fn answer_operation(input: &[u8]) -> bool {
    answers::operation(input, &action()).is_ok()
}

/// Reads the result of an action.
pub fn answer_result(input: &[u8]) -> bool {
    answers::result(input, &action()).is_ok()
}
