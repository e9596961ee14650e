//! Files in folders.

use std::path::{Path, PathBuf};

/// Returns the files below `folder` at any depth, in no order; none if there is no such folder.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten() {
            let path = entry.unwrap_or_else(|error| panic!("{}: {error}", next.display())).path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files
}
