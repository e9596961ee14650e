//! The environment of this process. Other code takes values.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Returns the value of a variable; an empty value counts as none.
pub fn variable(name: &str) -> Option<OsString> {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
    let value = env::var_os(name);
    value.filter(|value| !value.is_empty())
}

/// Finds the first executable called `name` in the folders of `PATH` or in `/usr/sbin`, where
/// Debian has daemons and which is not on a user's `PATH`.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let search_path = variable("PATH")?;
    env::split_paths(&search_path)
        .chain([PathBuf::from("/usr/sbin")])
        .map(|folder| folder.join(name))
        .find(|path| is_executable(path))
}

/// Returns whether `path` is a file that someone may execute.
#[cfg(unix)]
pub fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// Returns whether `path` is a file, as only Unix marks programs.
#[cfg(not(unix))]
pub fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// Returns whether this process may install system packages without a password.
#[cfg(unix)]
pub fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    // The owner of a process's folder is its effective user; the standard library has no `geteuid`.
    Path::new("/proc/self").metadata().is_ok_and(|data| data.uid() == 0)
}

/// Returns whether this process may install system packages without a password.
#[cfg(not(unix))]
pub fn is_root() -> bool {
    false
}
