//! Libraries by their names, as linkers look for them.

use std::path::{Path, PathBuf};

/// Folders that the command names.
#[derive(Clone, Debug, Default)]
pub(super) struct Libraries {
    folders: Vec<PathBuf>,
}

/// CUDA's runtime as archives: host code alone, and code that every device link gets.
const OF_RUNTIME: [&str; 2] = ["cudart_static", "cudadevrt"];

impl Libraries {
    pub(super) fn add(&mut self, folder: &str) {
        self.folders.push(folder.into());
    }

    /// Returns the archive of `-l NAME`. A shared library before it in a folder wins, unless only
    /// archives are wanted; then there is nothing to read. So it is with CUDA's own runtime, and
    /// with what is in none of these folders, which is an error of the linker.
    pub(super) fn find(&self, name: &str, is_static: bool, system: &[PathBuf]) -> Option<PathBuf> {
        if OF_RUNTIME.contains(&name) {
            return None;
        }
        let (shared, archive) = match name.strip_prefix(':') {
            Some(file) => (None, file.to_owned()),
            None => (Some(format!("lib{name}.so")), format!("lib{name}.a")),
        };
        for folder in self.folders.iter().chain(system) {
            let is_there = |file: &String| folder.join(file).is_file();
            if !is_static && shared.as_ref().is_some_and(is_there) {
                return None;
            }
            if is_there(&archive) {
                return Some(folder.join(&archive)).filter(|path| !is_shared(path));
            }
        }
        None
    }
}

/// Whether a file is a shared library by its name, which may end in a version.
pub(super) fn is_shared(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".so") || name.contains(".so.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_folder_wins_and_shared_libraries_before_archives() {
        let root = tempfile::tempdir().unwrap();
        let folder = |name: &str| root.path().join(name);
        for (name, files) in [("one", &["libx.a", "libz.a"][..]), ("two", &["libx.so", "liby.a"])] {
            std::fs::create_dir(folder(name)).unwrap();
            for file in files {
                std::fs::write(folder(name).join(file), "").unwrap();
            }
        }
        std::fs::write(folder("two").join("libz.so.1"), "").unwrap();
        let libraries =
            |names: &[&str]| Libraries { folders: names.iter().map(|name| folder(name)).collect() };
        let both = libraries(&["one", "two"]);
        assert_eq!(both.find("x", false, &[]), Some(folder("one/libx.a")));
        assert_eq!(libraries(&["two", "one"]).find("x", false, &[]), None);
        assert_eq!(libraries(&["two", "one"]).find("x", true, &[]), Some(folder("one/libx.a")));
        assert_eq!(both.find("y", false, &[]), Some(folder("two/liby.a")));
        assert_eq!(both.find(":liby.a", false, &[]), Some(folder("two/liby.a")));
        assert_eq!(both.find(":libz.so.1", false, &[]), None);
        assert_eq!(both.find("absent", false, &[]), None);
        assert_eq!(libraries(&[]).find("y", false, &[folder("two")]), Some(folder("two/liby.a")));
        assert_eq!(both.find("cudadevrt", false, &[]), None);
    }
}
