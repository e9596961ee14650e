//! Libraries by their names, as linkers look for them.

use std::path::PathBuf;

/// Folders in which linkers look for libraries after those of the command.
pub(super) const SYSTEM_FOLDERS: [&str; 6] = [
    "/usr/local/lib",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/usr/lib",
];

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

    /// Returns the library of `-l NAME`. Within a folder a shared library wins over an archive,
    /// unless only archives are wanted. CUDA's own runtime has nothing to read, and the linker
    /// reports a library that is in none of these folders.
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
            if let Some(shared) = shared.as_ref().filter(|file| !is_static && is_there(file)) {
                return Some(folder.join(shared));
            }
            if is_there(&archive) {
                return Some(folder.join(&archive));
            }
        }
        None
    }
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
        assert_eq!(libraries(&["two", "one"]).find("x", false, &[]), Some(folder("two/libx.so")));
        assert_eq!(libraries(&["two", "one"]).find("x", true, &[]), Some(folder("one/libx.a")));
        assert_eq!(both.find("y", false, &[]), Some(folder("two/liby.a")));
        assert_eq!(both.find(":liby.a", false, &[]), Some(folder("two/liby.a")));
        assert_eq!(both.find(":libz.so.1", false, &[]), Some(folder("two/libz.so.1")));
        assert_eq!(both.find("absent", false, &[]), None);
        assert_eq!(libraries(&[]).find("y", false, &[folder("two")]), Some(folder("two/liby.a")));
        assert_eq!(both.find("cudadevrt", false, &[]), None);
    }
}
