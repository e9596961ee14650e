//! The file that becomes an output when it is whole.
//!
//! A process that is killed while it writes cannot remove its temporary file. With a random name,
//! such a file would stay forever. So the name follows from the output's, and the next process that
//! writes the output takes the file over. A lock, which the system releases however its owner ends,
//! tells a file that was left from one that is being written.

use std::ffi::OsString;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::stored;

/// Prefix of the names of temporary files. No build system's pattern finds such a name.
const PREFIX: &str = ".weft-";

/// A file beside the place of an output, which is removed when this value is dropped.
#[derive(Debug)]
pub(crate) enum Temporary {
    /// A locked file under the name that belongs to the output. The path is dropped before the
    /// lock.
    Own(OwnPath, File),
    /// A file under a random name, because another process is writing the same output, or because
    /// the file system has no locks or allows no longer name.
    Random(NamedTempFile),
}

/// Path of a temporary file, which is removed when this value is dropped.
#[derive(Debug)]
pub(crate) struct OwnPath {
    path: PathBuf,
    /// Whether the file was renamed. From then on, the path may be another process's.
    is_output: bool,
}

impl Drop for OwnPath {
    fn drop(&mut self) {
        if !self.is_output {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl Temporary {
    /// Makes an empty file for the output `path`. Missing parent folders are created.
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        let parent = parent_of(path);
        match Self::new_in(parent, path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                std::fs::create_dir_all(parent)?;
                Self::new_in(parent, path)
            }
            result => result,
        }
    }

    fn new_in(parent: &Path, path: &Path) -> io::Result<Self> {
        if let Some(own) = own_name(path)
            && let Some(file) = take(&own)
        {
            return Ok(Self::Own(OwnPath { path: own, is_output: false }, file));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX);
        make_readable(&mut builder);
        builder.tempfile_in(parent).map(Self::Random)
    }

    /// The file, to be written.
    pub(crate) fn file(&self) -> &File {
        match self {
            Self::Own(_, file) => file,
            Self::Random(file) => file.as_file(),
        }
    }

    /// Path of the file.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Own(own, _) => &own.path,
            Self::Random(file) => file.path(),
        }
    }

    /// Makes the file the output `path`, unless some of its content was lost.
    pub(crate) fn persist(self, path: &Path) -> io::Result<()> {
        stored::check(self.file())?;
        match self {
            Self::Own(mut own, _lock) => {
                std::fs::rename(&own.path, path)?;
                own.is_output = true;
                Ok(())
            }
            Self::Random(file) => file.persist(path).map(drop).map_err(|error| error.error),
        }
    }
}

/// Removes the temporary file that a dead process has left for the output `path`, if there is one.
pub(crate) fn remove_abandoned(path: &Path) {
    if let Some(own) = own_name(path)
        && let Ok(metadata) = own.symlink_metadata()
        && let Some(file) = lock_existing(&own, &metadata)
    {
        let _ = std::fs::remove_file(own);
        drop(file);
    }
}

fn parent_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Returns the path of the temporary file that belongs to the output.
fn own_name(path: &Path) -> Option<PathBuf> {
    let mut name = OsString::from(PREFIX);
    name.push(path.file_name()?);
    Some(parent_of(path).join(name))
}

/// Creates the file at `own`, or takes over the one of a dead process, and locks it. Returns
/// nothing where that is not possible.
fn take(own: &Path) -> Option<File> {
    let file = match OpenOptions::new().write(true).create_new(true).open(own) {
        Ok(file) => {
            // A process that is just starting may have locked the file by now.
            file.try_lock().ok()?;
            file
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let file = lock_existing(own, &own.symlink_metadata().ok()?)?;
            file.set_len(0).ok()?;
            file
        }
        Err(_) => return None,
    };
    is_at(&file, own).then_some(file)
}

/// Opens and locks the regular file at `own`, whose metadata is `metadata`. Returns nothing if
/// another process holds the lock, or if the file became an output meanwhile.
fn lock_existing(own: &Path, metadata: &Metadata) -> Option<File> {
    if !metadata.is_file() {
        return None;
    }
    let file = OpenOptions::new().write(true).open(own).ok()?;
    file.try_lock().ok()?;
    is_at(&file, own).then_some(file)
}

/// Whether `path` still names the file that was opened, and not a link to it.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    match (file.metadata(), path.symlink_metadata()) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

/// Makes a file readable for all, as outputs of a build are and temporary files are not.
#[cfg(unix)]
fn make_readable(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(std::fs::Permissions::from_mode(0o644));
}

#[cfg(not(unix))]
fn make_readable(_builder: &mut tempfile::Builder<'_, '_>) {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn a_name_alone_is_in_the_current_folder() {
        assert_eq!(parent_of(Path::new("output")), Path::new("."));
        assert_eq!(parent_of(Path::new("a/output")), Path::new("a"));
        assert_eq!(own_name(Path::new("output")), Some(PathBuf::from("./.weft-output")));
    }

    fn names(folder: &Path) -> io::Result<Vec<String>> {
        let entries = std::fs::read_dir(folder)?;
        let mut names: Vec<_> = entries
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<io::Result<_>>()?;
        names.sort();
        Ok(names)
    }

    #[test]
    fn a_file_that_a_dead_process_left_is_taken_over_or_removed() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let output = folder.path().join("output");
        let left = folder.path().join(".weft-output");
        std::fs::write(&left, "more than the next one writes")?;
        let next = Temporary::new(&output)?;
        next.file().write_all(b"next")?;
        next.persist(&output)?;
        assert_eq!(std::fs::read(&output)?, b"next");
        assert_eq!(names(folder.path())?, ["output"]);
        std::fs::write(&left, "part")?;
        remove_abandoned(&output);
        assert_eq!(names(folder.path())?, ["output"]);
        Ok(())
    }

    #[test]
    fn the_file_of_a_living_process_is_left_alone() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let output = folder.path().join("output");
        let one = Temporary::new(&output)?;
        one.file().write_all(b"one")?;
        remove_abandoned(&output);
        let other = Temporary::new(&output)?;
        assert_ne!(one.path(), other.path());
        other.file().write_all(b"other")?;
        other.persist(&output)?;
        one.persist(&output)?;
        assert_eq!(std::fs::read(&output)?, b"one");
        drop(Temporary::new(&output)?);
        assert_eq!(names(folder.path())?, ["output"]);
        Ok(())
    }

    /// Nobody else's file is written through a link, and a name may be as long as the system
    /// allows.
    #[test]
    fn where_the_own_name_cannot_be_used_another_one_is() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let precious = folder.path().join("precious");
        std::fs::write(&precious, "precious")?;
        std::os::unix::fs::symlink(&precious, folder.path().join(".weft-output"))?;
        let long = "n".repeat(255);
        for name in ["output", &long] {
            let output = folder.path().join(name);
            let temporary = Temporary::new(&output)?;
            temporary.file().write_all(b"new")?;
            temporary.persist(&output)?;
            assert_eq!(std::fs::read(&output)?, b"new");
        }
        assert_eq!(std::fs::read(&precious)?, b"precious");
        assert_eq!(names(folder.path())?, [".weft-output", &long, "output", "precious"]);
        Ok(())
    }

    /// The builds of other users read what is shared, as far as this process lets them at all.
    #[test]
    fn every_output_is_as_readable_as_other_files() -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir()?;
        let mode = |path: &Path| Ok::<_, io::Error>(path.metadata()?.permissions().mode() & 0o444);
        let other = folder.path().join("other");
        std::fs::write(&other, "")?;
        let output = folder.path().join("output");
        let (own, random) = (Temporary::new(&output)?, Temporary::new(&output)?);
        for temporary in [own, random] {
            temporary.persist(&output)?;
            assert_eq!(mode(&output)?, mode(&other)?);
        }
        Ok(())
    }

    /// Many writers of one output replace it by whole files.
    #[test]
    fn writers_at_the_same_time_leave_a_whole_file() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let output = folder.path().join("output");
        std::thread::scope(|scope| {
            let writers: Vec<_> = (0..8_u8)
                .map(|writer| {
                    let output = &output;
                    scope.spawn(move || -> io::Result<()> {
                        for _ in 0..50 {
                            let temporary = Temporary::new(output)?;
                            temporary.file().write_all(&[writer; 1000])?;
                            temporary.persist(output)?;
                            let content = std::fs::read(output)?;
                            let is_whole = content.len() == 1000
                                && content.iter().all(|byte| *byte == content[0]);
                            assert!(is_whole);
                            remove_abandoned(output);
                        }
                        Ok(())
                    })
                })
                .collect();
            writers.into_iter().try_for_each(|writer| writer.join().unwrap_or(Ok(())))
        })?;
        assert_eq!(names(folder.path())?, ["output"]);
        Ok(())
    }
}
