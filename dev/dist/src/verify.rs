//! Builds a second time in another folder and compares the bytes.

use std::fs;
use std::path::Path;

use dev_process::{Error, Process, Result, while_trying};

/// Copies the files of the checkout that git knows or would take to another folder.
pub(crate) fn copy_checkout(root: &Path, to: &Path) -> Result<()> {
    let files = Process::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .directory(root)
        .quietly()
        .capture()?;
    for file in files.split('\0').filter(|file| !file.is_empty()) {
        let (from, to) = (root.join(file), to.join(file));
        // A file that was removed and not committed.
        if !from.is_file() {
            continue;
        }
        let folder = to.parent().unwrap_or(&to);
        fs::create_dir_all(folder).map_err(while_trying("create", folder))?;
        fs::copy(&from, &to).map_err(while_trying("copy", &from))?;
    }
    Ok(())
}

/// Fails with all files that differ between two lists of the same length.
pub(crate) fn compare<'paths>(
    first: impl IntoIterator<Item = &'paths Path>,
    second: impl IntoIterator<Item = &'paths Path>,
) -> Result<()> {
    let mut differences = Vec::new();
    for (first, second) in first.into_iter().zip(second) {
        let read = |path: &Path| fs::read(path).map_err(while_trying("read", path));
        let (one, other) = (read(first)?, read(second)?);
        if one != other {
            let at = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
            differences.push(format!(
                "{} ({} bytes) and {} ({} bytes) differ from byte {at} on",
                first.display(),
                one.len(),
                second.display(),
                other.len()
            ));
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(Error::new(differences.join("\n"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_differ_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let (a, b, c) = (file("a", "same"), file("b", "same"), file("c", "sane"));
        assert!(compare([&*a], [&*b]).is_ok());
        let error = compare([&*a, &*a], [&*b, &*c]).unwrap_err();
        assert!(error.message().ends_with("differ from byte 2 on"), "{error}");
        assert_eq!(error.message().lines().count(), 1);
    }
}
