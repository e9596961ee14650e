//! Files for users in memory, by their paths.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use dev_process::{Error, Result, environment, while_trying};

/// Content of a file, and whether it is a program.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) content: Vec<u8>,
    pub(crate) executable: bool,
}

impl File {
    /// Makes a file that is no program.
    pub(crate) fn text(content: impl Into<Vec<u8>>) -> Self {
        Self { content: content.into(), executable: false }
    }

    /// Returns the file's mode, regardless of the mode of the building user's files.
    pub(crate) fn mode(&self) -> u32 {
        if self.executable { 0o755 } else { 0o644 }
    }
}

/// Files by their paths, relative and with `/`, in the order of the paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree(pub(crate) BTreeMap<String, File>);

impl Tree {
    /// Reads a folder.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let mut tree = Self::default();
        tree.add_folder(folder, "")?;
        Ok(tree)
    }

    /// Adds a file, which replaces one of the same path.
    pub(crate) fn add(&mut self, path: impl Into<String>, file: File) {
        self.0.insert(path.into(), file);
    }

    /// Returns the files whose paths `place` gives a place in another tree.
    pub(crate) fn placed(&self, place: impl Fn(&str) -> Option<String>) -> Self {
        let files = self.0.iter();
        Self(files.filter_map(|(path, file)| Some((place(path)?, file.clone()))).collect())
    }

    /// Returns the folders that hold the files, each after the one that holds it.
    pub(crate) fn folders(&self) -> BTreeSet<&str> {
        let parents = |path: &'_ String| -> Vec<usize> {
            path.match_indices('/').map(|(end, _)| end).collect()
        };
        self.0.keys().flat_map(|path| parents(path).into_iter().map(|end| &path[..end])).collect()
    }

    fn add_folder(&mut self, folder: &Path, prefix: &str) -> Result<()> {
        for entry in fs::read_dir(folder).map_err(while_trying("read", folder))? {
            let path = entry.map_err(while_trying("read", folder))?.path();
            let name = path.file_name().and_then(|name| name.to_str());
            let name = name.ok_or_else(|| {
                Error::new(format!("the name of {} is not Unicode", path.display()))
            })?;
            let place = format!("{prefix}{name}");
            if path.is_dir() {
                self.add_folder(&path, &format!("{place}/"))?;
            } else {
                let content = fs::read(&path).map_err(while_trying("read", &path))?;
                let executable = environment::is_executable(&path);
                self.add(place, File { content, executable });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_come_before_what_they_hold() {
        let mut tree = Tree::default();
        for path in ["usr/share/doc/a", "usr/bin/b", "c"] {
            tree.add(path, File::text(""));
        }
        let folders: Vec<&str> = tree.folders().into_iter().collect();
        assert_eq!(folders, ["usr", "usr/bin", "usr/share", "usr/share/doc"]);
    }
}
