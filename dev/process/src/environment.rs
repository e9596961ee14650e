//! The one place that reads the environment; everything else takes values.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The value of a variable; set but empty counts as not set.
pub fn variable(name: &str) -> Option<OsString> {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
    let value = env::var_os(name);
    value.filter(|value| !value.is_empty())
}

/// The first executable called `name` in the folders of `PATH` or, as Debian has daemons outside of a
/// user's `PATH`, in `/usr/sbin`.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let search_path = variable("PATH")?;
    env::split_paths(&search_path)
        .chain([PathBuf::from("/usr/sbin")])
        .map(|folder| folder.join(name))
        .find(|path| is_executable(path))
}

/// Whether `path` is a file that may be executed by someone.
#[cfg(unix)]
pub fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// Whether `path` is a file: elsewhere than on Unix nothing marks a program.
#[cfg(not(unix))]
pub fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// Whether this process may install system packages without asking anyone.
#[cfg(unix)]
pub fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    // The owner of a process's folder is its effective user; the standard library has no geteuid.
    Path::new("/proc/self").metadata().is_ok_and(|data| data.uid() == 0)
}

/// Whether this process may install system packages without asking anyone.
#[cfg(not(unix))]
pub fn is_root() -> bool {
    false
}
