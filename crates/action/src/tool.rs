//! Programs and libraries of this machine.

use std::path::{Path, PathBuf};

/// A program or library of this machine, which counts by its content and never by its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Name in the action's folder. An absolute path says that workers have the same file there, so
    /// that it is not sent; its content here counts all the same.
    pub name: String,
    /// Path on this machine.
    pub path: PathBuf,
}

impl Tool {
    /// Whether workers have the file, at the path that is its name.
    pub(crate) fn is_on_workers(&self) -> bool {
        self.name.starts_with('/')
    }

    /// Whether this is the running program.
    pub(crate) fn is_this_program(&self) -> bool {
        self.path == Self::this_program(&self.name).path
    }

    /// Returns the running program.
    pub fn this_program(name: &str) -> Self {
        // The link leads to the file that runs, even when a build has put another in its place.
        let link = PathBuf::from("/proc/self/exe");
        let path = if link.exists() { link } else { std::env::current_exe().unwrap_or(link) };
        Self { name: name.to_owned(), path }
    }
}

/// Finds `name` in the folders of `search_path`, unless it names a file with its folder already.
pub fn find_program(name: &Path, search_path: Option<&std::ffi::OsStr>) -> Option<PathBuf> {
    if name.components().count() > 1 {
        return name.is_file().then(|| name.to_path_buf());
    }
    std::env::split_paths(search_path?).map(|folder| folder.join(name)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_alone_is_looked_for_in_the_search_path() {
        let of =
            |name: &str, path: Option<&str>| find_program(Path::new(name), path.map(AsRef::as_ref));
        assert_eq!(of("sh", Some("/nowhere:/bin")), Some(PathBuf::from("/bin/sh")));
        assert_eq!(of("sh", Some("/nowhere")), None);
        assert_eq!(of("sh", None), None);
        assert_eq!(of("/bin/sh", None), Some(PathBuf::from("/bin/sh")));
        assert_eq!(of("/nowhere/sh", Some("/bin")), None);
    }
}
