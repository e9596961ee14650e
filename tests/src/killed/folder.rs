//! Content of folders, and copies of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::Run;

/// Returns the content of every file below `folder`, by its path in the folder. The records that
/// Ninja keeps for itself are left out, since they hold times, and so are temporary files that a
/// killed clang has left, which are clang's to remove, and the lists of arguments that Bazel writes
/// for an action that it runs, and does not for a result from its cache.
pub fn files_of(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let paths = dev_builds::files_below(folder).unwrap_or_else(|error| panic!("{error}"));
    for path in paths {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        let is_foreign = name.starts_with(b".ninja")
            || [&b".o.tmp"[..], b".params"].iter().any(|ending| name.ends_with(ending));
        if !is_foreign {
            let content = std::fs::read(&path)
                .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
            let name = path.strip_prefix(folder).unwrap_or(&path).to_owned();
            files.insert(name, content);
        }
    }
    files
}

/// Copies a folder with the times of its files, which Make and Ninja compare.
pub(super) fn copy(from: &Path, to: &Path) {
    Run::new("cp", "/").arg("-a").arg(from).arg(to).succeed();
}

/// Describes how a folder differs from what it should hold; nothing if it does not.
pub(super) fn differences(
    expected: &BTreeMap<PathBuf, Vec<u8>>,
    found: &BTreeMap<PathBuf, Vec<u8>>,
) -> Vec<String> {
    let mut lines = Vec::new();
    for (path, content) in expected {
        match found.get(path) {
            None => lines.push(format!("{} is missing", path.display())),
            Some(other) if other != content => lines.push(format!("{} differs", path.display())),
            Some(_) => {}
        }
    }
    let surplus = found.keys().filter(|path| !expected.contains_key(*path));
    lines.extend(surplus.map(|path| format!("{} is left", path.display())));
    lines
}
