//! Writes files whole or not at all, and only where their content changes.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;

use crate::stored;
use crate::temporary::{Temporary, remove_abandoned};

/// Writes `content` into a temporary file and renames that to `path`, so that a reader sees the old
/// file or the new one and never a part. Missing parent folders are created.
pub fn write_atomically(path: &Path, content: &[u8]) -> io::Result<()> {
    let temporary = Temporary::new(path)?;
    temporary.file().write_all(content)?;
    temporary.persist(path)
}

/// Writes as [`write_atomically`] does, unless the file already holds `content`. Its time then
/// stays, and a build system need not look further. Returns whether the file was written.
pub fn write_if_different(path: &Path, content: &[u8]) -> io::Result<bool> {
    match std::fs::read(path) {
        Ok(present) if present == content => {
            remove_abandoned(path);
            Ok(false)
        }
        _ => write_atomically(path, content).map(|()| true),
    }
}

/// Writes as [`write_if_different`] does, for content that is too large for the memory: `write`
/// writes it.
pub fn write_large_if_different(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<bool> {
    let temporary = Temporary::new(path)?;
    let mut file = BufWriter::new(temporary.file().try_clone()?);
    write(&mut file)?;
    stored::close(file.into_inner().map_err(io::IntoInnerError::into_error)?)?;
    if is_same(path, temporary.path()).unwrap_or(false) {
        return Ok(false);
    }
    temporary.persist(path)?;
    Ok(true)
}

/// Whether both files have the same content.
fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    let (one, other) = (File::open(one)?, File::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (BufReader::new(one), BufReader::new(other));
    loop {
        let (some, others) = (one.fill_buf()?, other.fill_buf()?);
        let length = some.len().min(others.len());
        if some[..length] != others[..length] {
            return Ok(false);
        }
        if length == 0 {
            return Ok(true);
        }
        one.consume(length);
        other.consume(length);
    }
}

/// Writes as [`write_if_different`] does, for content that shows by itself whether it is whole, as
/// a frame with a digest does. A new file is not renamed into place, which would take twice as
/// long: a crash may leave a part of it, which every reader refuses and the next run replaces.
pub fn write_framed(path: &Path, content: &[u8]) -> io::Result<bool> {
    match File::create_new(path) {
        Ok(mut file) => match file.write_all(content).and_then(|()| stored::close(file)) {
            Ok(()) => Ok(true),
            Err(error) => {
                // The first error is the one to report. Readers refuse a part that stays.
                let _ = std::fs::remove_file(path);
                Err(error)
            }
        },
        // The file exists, or its folder does not.
        Err(_) => write_if_different(path, content),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_content_is_not_written_again() -> io::Result<()> {
        let by_parts = |path: &Path, content: &[u8]| {
            write_large_if_different(path, |file| file.write_all(content))
        };
        for write in [write_if_different, write_framed, by_parts] {
            let folder = tempfile::tempdir()?;
            let path = folder.path().join("deep/er/file");
            assert!(write(&path, b"one")?);
            assert!(!write(&path, b"one")?);
            assert!(write(&path, b"two")?);
            assert_eq!(std::fs::read(&path)?, b"two");
            assert!(write(&path.with_file_name("other"), b"three")?);
            assert_eq!(std::fs::read_dir(path.with_file_name(""))?.count(), 2);
        }
        Ok(())
    }

    /// Files are compared by blocks, so what differs may be in any of them.
    #[test]
    fn a_large_file_is_written_again_wherever_it_differs() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("file");
        let write =
            |content: &[u8]| write_large_if_different(&path, |file| file.write_all(content));
        let mut content = vec![7; 100_000];
        assert!(write(&content)?);
        assert!(!write(&content)?);
        for position in [0, 8191, 8192, 50_000, content.len() - 1] {
            content[position] = 8;
            assert!(write(&content)?, "byte {position}");
            assert_eq!(std::fs::read(&path)?, content);
        }
        content.push(7);
        assert!(write(&content)?);
        assert!(write(&content[..8192])?);
        assert!(!write(&content[..8192])?);
        assert_eq!(std::fs::read_dir(folder.path())?.count(), 1);
        Ok(())
    }
}
