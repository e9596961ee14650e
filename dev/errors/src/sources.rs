//! The sources that are read.

use std::fs;
use std::path::{Path, PathBuf};

use dev_process::{Result, while_trying};

/// Folders of the product's crates.
const PRODUCT: [&str; 5] = ["crates", "summarize", "thinlink", "backend-job", "weft"];
/// Beginning of the unit tests of a file.
const UNIT_TESTS: &str = "#[cfg(test)]";

/// A source file: code, and unit tests after it.
pub(crate) struct Source {
    /// Path in the checkout.
    pub(crate) path: String,
    pub(crate) code: String,
    pub(crate) tests: String,
}

/// Reads the sources of the product.
pub(crate) fn product(root: &Path) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for folder in PRODUCT {
        for path in below(&root.join(folder))? {
            let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            if name.contains("/src/") && path.extension().is_some_and(|kind| kind == "rs") {
                let text = read(&path)?;
                let (code, tests) = text.split_once(UNIT_TESTS).unwrap_or((&text, ""));
                sources.push(Source { path: name, code: code.to_owned(), tests: tests.to_owned() });
            }
        }
    }
    Ok(sources)
}

pub(crate) fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(while_trying("read", path))
}

/// Returns the files below a folder, in order.
pub(crate) fn below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let entries = fs::read_dir(folder).map_err(while_trying("read", folder))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files.extend(below(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}
