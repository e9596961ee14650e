//! A copy of the workspace that mutants may change.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use dev_process::{Process, Result, remove, while_trying};

/// Time limit of one run of cargo in seconds, more than a first build of everything takes.
const SECONDS: &str = "1200";

/// The folder of what was downloaded.
const DOWNLOADED: &str = ".toolchain";

/// The copy, with a private target folder: neither build disturbs the other.
#[derive(Debug)]
pub struct Checkout {
    folder: PathBuf,
    target: PathBuf,
}

impl Checkout {
    /// Updates the copy in `folder` from the workspace at `root`. Equal files stay untouched, so
    /// that cargo does not build them again.
    pub fn update(root: &Path, folder: &Path) -> Result<Self> {
        let copy = folder.join("workspace");
        let listed = Process::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .directory(root)
            .quietly()
            .capture()?;
        let names = listed.split('\0').filter(|name| !name.is_empty() && root.join(name).is_file());
        let names: BTreeSet<PathBuf> = names.map(PathBuf::from).collect();
        for name in &names {
            copy_if_different(&root.join(name), &copy.join(name))?;
        }
        remove_others(&copy, &copy, &names)?;
        // Both use the downloads of `cargo xtask setup`.
        let (downloaded, link) = (root.join(DOWNLOADED), copy.join(DOWNLOADED));
        if downloaded.is_dir() {
            symlink(&downloaded, &link).map_err(while_trying("make", &link))?;
        }
        Ok(Self { folder: copy, target: folder.join("target") })
    }

    /// Reads a file of the copy.
    pub fn read(&self, name: &str) -> Result<String> {
        let path = self.folder.join(name);
        fs::read_to_string(&path).map_err(while_trying("read", &path))
    }

    /// Changes a file of the copy, unless it has that content.
    pub fn write(&self, name: &str, content: &str) -> Result<()> {
        let path = self.folder.join(name);
        if fs::read(&path).is_ok_and(|there| there == content.as_bytes()) {
            return Ok(());
        }
        fs::write(&path, content).map_err(while_trying("write", &path))
    }

    /// Returns a command that runs cargo in the copy, with a time limit, as a mutant may run
    /// forever.
    pub fn cargo(&self, arguments: &[&str]) -> Process {
        Process::new("timeout")
            .args(["--verbose", SECONDS, "cargo"])
            .args(arguments.iter().copied())
            .variable("CARGO_TARGET_DIR", &self.target)
            .directory(&self.folder)
    }
}

fn copy_if_different(from: &Path, to: &Path) -> Result<()> {
    let content = fs::read(from).map_err(while_trying("read", from))?;
    if fs::read(to).is_ok_and(|there| there == content) {
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(while_trying("make", folder))?;
    }
    // Copying keeps the file's mode, which executables need.
    fs::copy(from, to).map(drop).map_err(while_trying("copy to", to))
}

/// Removes the files below `folder` that are not among `names`, which are relative to `copy`, and
/// folders that are empty then: cargo takes a folder of the workspace for a package.
fn remove_others(copy: &Path, folder: &Path, names: &BTreeSet<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).map_err(while_trying("read", folder))? {
        let path = entry.map_err(while_trying("read", folder))?.path();
        if path.is_dir() && !path.is_symlink() {
            remove_others(copy, &path, names)?;
            if fs::read_dir(&path).map_err(while_trying("read", &path))?.next().is_none() {
                fs::remove_dir(&path).map_err(while_trying("remove", &path))?;
            }
        } else if !path.strip_prefix(copy).is_ok_and(|name| names.contains(name)) {
            remove(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_has_the_files_of_the_source_and_no_others() {
        let folder = std::env::temp_dir().join(format!("weft-checkout-{}", std::process::id()));
        let (source, copy) = (folder.join("source"), folder.join("copy"));
        fs::create_dir_all(source.join("below")).unwrap();
        fs::create_dir_all(copy.join("gone")).unwrap();
        for name in ["source/below/one", "copy/gone/two", "copy/three"] {
            fs::write(folder.join(name), name).unwrap();
        }
        let names = BTreeSet::from([PathBuf::from("below/one")]);
        copy_if_different(&source.join("below/one"), &copy.join("below/one")).unwrap();
        remove_others(&copy, &copy, &names).unwrap();
        assert_eq!(fs::read_to_string(copy.join("below/one")).unwrap(), "source/below/one");
        assert!(!copy.join("three").exists() && !copy.join("gone").exists());
        fs::remove_dir_all(&folder).unwrap();
    }
}
