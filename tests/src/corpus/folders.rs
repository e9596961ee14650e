//! Folders of the corpus and of its programs.

use std::path::PathBuf;

use crate::workspace_root;

/// Returns the folder of the corpus.
pub(super) fn corpus() -> PathBuf {
    workspace_root().join("tests/corpus")
}

/// Returns the folders of the programs.
pub(super) fn folders() -> Vec<PathBuf> {
    let corpus = corpus();
    let entries = std::fs::read_dir(&corpus)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", corpus.display()));
    entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}
