//! The files of a checkout.

use std::fs;
use std::path::Path;

use dev_process::{Process, Result};

/// All files that git knows or would add.
pub(crate) struct Checkout {
    /// Paths of all files, sorted.
    pub(crate) paths: Vec<String>,
    /// Files that are text, sorted by path.
    pub(crate) files: Vec<File>,
}

/// A text file of the checkout.
pub(crate) struct File {
    /// Path relative to the root, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Checkout {
    /// Reads the checkout at `root`. A file that is deleted but still in git's index is left out.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let mut paths = list(root)?;
        paths.retain(|path| root.join(path).is_file());
        let read = |path: &String| {
            let bytes = fs::read(root.join(path)).ok()?;
            let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))?;
            Some(File { path: path.clone(), text })
        };
        let files = paths.iter().filter_map(read).collect();
        Ok(Self { paths, files })
    }
}

impl File {
    /// Returns the part of the name after its last dot, which may be empty.
    pub(crate) fn extension(&self) -> &str {
        self.name().rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    /// Returns the last component of the path.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// Tells whether the path starts with one of `places`, which are folders with a final `/`, or
    /// files.
    pub(crate) fn is_below(&self, places: &[&str]) -> bool {
        places.iter().any(|place| self.path.starts_with(place))
    }
}

/// Asks git for the paths of its files, sorted.
fn list(root: &Path) -> Result<Vec<String>> {
    let list = Process::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .directory(root)
        .quietly()
        .capture()?;
    let mut paths: Vec<String> =
        list.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect();
    paths.sort();
    paths.dedup();
    Ok(paths)
}
