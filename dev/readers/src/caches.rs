//! Readers of the files of the local cache, which other users may share.

use weft_action::store::entry::Entry;
use weft_action::store::history::History;

use crate::artifacts::file;

/// Reads a result of the cache.
pub fn cache_entry(input: &[u8]) -> bool {
    file::<Entry>(input)
}

/// Reads the fields of the last runs.
pub fn cache_history(input: &[u8]) -> bool {
    file::<History>(input)
}
