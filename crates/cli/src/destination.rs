//! The destination of an output: a file that is replaced as a whole, or a stream that must not be.
//!
//! A file is written beside its path and renamed. A device, a pipe or an open descriptor
//! (`/dev/null`, a FIFO, `/dev/stdout`) would be replaced by the rename, and its reader would wait
//! forever, so these are opened and written. A symbolic link is followed, as compilers do, and its
//! target is replaced.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

/// Maximum number of links in a row, as in the kernel: more count as a circle.
const MOST_LINKS: usize = 40;

/// Destination of an output.
pub(crate) enum Destination {
    /// A regular file, or one that does not exist yet.
    File(PathBuf),
    /// A device, a pipe or an open descriptor.
    Stream(Stream),
}

/// A destination that is open for writing and must not be replaced by a file.
pub(crate) struct Stream {
    file: File,
    is_stdout: bool,
}

impl Destination {
    /// Finds the destination that `path` names. A folder is an error.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            let kind = match std::fs::symlink_metadata(&path) {
                Ok(metadata) => metadata.file_type(),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Ok(Self::File(path));
                }
                Err(error) => return Err(error),
            };
            if kind.is_file() {
                return Ok(Self::File(path));
            }
            if kind.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            if kind.is_socket() {
                return Err(io::Error::other("it is a socket"));
            }
            if !kind.is_symlink() {
                return OpenOptions::new()
                    .write(true)
                    .open(path)
                    .map(Stream::new)
                    .map(Self::Stream);
            }
            let folder = folder_of(&path).canonicalize()?;
            if let Some(number) = descriptor(&folder, &path) {
                return open_descriptor(&path, number).map(Self::Stream);
            }
            path = folder.join(std::fs::read_link(&path)?);
        }
        Err(io::Error::other("too many symbolic links"))
    }
}

impl Stream {
    fn new(file: File) -> Self {
        Self { file, is_stdout: false }
    }

    /// Calls `write` to write the whole content.
    pub(crate) fn write(
        self,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut stream = BufWriter::new(self.file);
        let written = write(&mut stream).and_then(|()| stream.flush());
        // Content that could not be written is not tried again.
        drop(stream.into_parts());
        if self.is_stdout { unless_closed(written) } else { written }
    }
}

/// Returns the result of writing to standard output. A closed reader is no failure.
pub(crate) fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    written.or_else(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    })
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the number of this process's descriptor that `path` in `folder` denotes, such as
/// `/proc/self/fd/1`. Such files are links, but their text need not name a file.
fn descriptor(folder: &Path, path: &Path) -> Option<u32> {
    let is_own = Path::new("/proc/self/fd").canonicalize().is_ok_and(|own| own == folder);
    path.file_name().filter(|_| is_own)?.to_str()?.parse().ok()
}

/// Opens a descriptor for appending, as its owner may have written to it, and may continue.
fn open_descriptor(path: &Path, number: u32) -> io::Result<Stream> {
    let own = match number {
        1 => Some(io::stdout().as_fd().try_clone_to_owned()?),
        2 => Some(io::stderr().as_fd().try_clone_to_owned()?),
        _ => None,
    };
    let file = match own {
        Some(own) => File::from(own),
        None => OpenOptions::new().append(true).open(path)?,
    };
    Ok(Stream { file, is_stdout: number == 1 })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_to_files_and_circles_are_errors() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let root = folder.path().canonicalize()?;
        let at = |name: &str| root.join(name);
        std::fs::create_dir(at("deep"))?;
        symlink("deep/second", at("first"))?;
        symlink("third", at("deep/second"))?;
        let leads_to = |name: &str| match Destination::of(&at(name)) {
            Ok(Destination::File(path)) => Ok(path),
            Ok(_) => Err("no file".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        // The name is the same whether the last file exists or not.
        assert_eq!(leads_to("first"), Ok(at("deep/third")));
        std::fs::write(at("deep/third"), b"")?;
        assert_eq!(leads_to("first"), Ok(at("deep/third")));
        assert_eq!(leads_to("new"), Ok(at("new")));
        symlink("circle", at("circle"))?;
        assert_eq!(leads_to("circle"), Err("too many symbolic links".to_owned()));
        assert_eq!(leads_to("deep"), Err("is a directory".to_owned()));
        symlink("deep", at("to_deep"))?;
        assert_eq!(leads_to("to_deep"), Err("is a directory".to_owned()));
        Ok(())
    }

    #[test]
    fn names_of_descriptors_are_known() -> io::Result<()> {
        for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
            let destination = Destination::of(Path::new(name))?;
            assert!(
                matches!(destination, Destination::Stream(Stream { is_stdout: true, .. })),
                "{name}"
            );
        }
        for name in ["/dev/stderr", "/dev/null"] {
            let destination = Destination::of(Path::new(name))?;
            assert!(
                matches!(destination, Destination::Stream(Stream { is_stdout: false, .. })),
                "{name}"
            );
        }
        Ok(())
    }
}
