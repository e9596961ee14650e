//! Members of archives, normal and thin.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;

use object::read::archive::ArchiveFile;
use thiserror::Error;

const MAGIC: &[u8] = b"!<arch>\n";
const THIN_MAGIC: &[u8] = b"!<thin>\n";

/// A member of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member<'data> {
    /// Unique name within the archive: the last component of the path in the archive, followed by
    /// `~2`, `~3` and so on from the second member of that name on. The sign is one that CMake
    /// allows in the names of outputs.
    pub name: String,
    /// The member's bytes.
    pub content: Cow<'data, [u8]>,
}

/// The error of reading an archive. The caller adds the file's name.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The archive is broken.
    #[error("malformed archive: {0}")]
    Malformed(#[from] object::Error),
    /// The name of a member is no text.
    #[error("malformed archive: the name of member {position} is not UTF-8")]
    Name {
        /// Number of the member, from 0.
        position: usize,
    },
    /// A thin archive names a file that cannot be read.
    #[error("cannot read {member}, a member of the thin archive")]
    Member {
        /// Path of the file in the archive.
        member: String,
        /// Error of the system.
        source: io::Error,
    },
}

/// Whether `data` starts like an archive.
pub fn is_archive(data: &[u8]) -> bool {
    data.starts_with(MAGIC) || data.starts_with(THIN_MAGIC)
}

/// Returns the members in the archive's order. A thin archive holds paths instead of members:
/// `read` gets each path, relative to the archive's folder, and returns the file's content.
pub fn archive_members(
    data: &[u8],
    mut read: impl FnMut(&str) -> io::Result<Vec<u8>>,
) -> Result<Vec<Member<'_>>, ArchiveError> {
    let archive = ArchiveFile::parse(data)?;
    let mut members = Vec::new();
    let mut names = BTreeSet::new();
    for (position, member) in archive.members().enumerate() {
        let member = member?;
        let path =
            std::str::from_utf8(member.name()).map_err(|_| ArchiveError::Name { position })?;
        let content = if archive.is_thin() {
            let failed = |source| ArchiveError::Member { member: path.to_owned(), source };
            Cow::Owned(read(path).map_err(failed)?)
        } else {
            Cow::Borrowed(member.data(data)?)
        };
        let name = unique(path.rsplit('/').next().unwrap_or(path), &names);
        names.insert(name.clone());
        members.push(Member { name, content });
    }
    Ok(members)
}

fn unique(name: &str, taken: &BTreeSet<String>) -> String {
    if !taken.contains(name) {
        return name.to_owned();
    }
    let numbered = (2_usize..).map(|number| format!("{name}~{number}"));
    let mut free = numbered.filter(|candidate| !taken.contains(candidate));
    free.next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(magic: &[u8], members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut data = magic.to_vec();
        for (name, content) in members {
            let name = format!("{name}/");
            data.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}", 0, 0, 0, 644).as_bytes());
            data.extend(format!("{:<10}`\n", content.len()).as_bytes());
            if magic == MAGIC {
                data.extend(*content);
                data.resize(data.len().next_multiple_of(2), b'\n');
            }
        }
        data
    }

    fn never(_: &str) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }

    #[test]
    fn members_of_one_name_are_numbered() -> Result<(), ArchiveError> {
        let data = archive(MAGIC, &[("a.o", b"1"), ("b.o", b"22"), ("a.o", b"333"), ("a.o", b"")]);
        let members = archive_members(&data, never)?;
        let names: Vec<_> = members.iter().map(|member| member.name.as_str()).collect();
        assert_eq!(names, ["a.o", "b.o", "a.o~2", "a.o~3"]);
        assert_eq!(*members[2].content, *b"333");
        Ok(())
    }

    #[test]
    fn a_thin_member_is_read_from_its_file() -> Result<(), ArchiveError> {
        let data = archive(THIN_MAGIC, &[("a.o", b"12345"), ("b.o", b"1")]);
        let members = archive_members(&data, |path| Ok(path.as_bytes().to_vec()))?;
        assert_eq!(*members[1].content, *b"b.o");
        let failed = archive_members(&data, never).map(drop);
        assert!(matches!(failed, Err(ArchiveError::Member { member, .. }) if member == "a.o"));
        Ok(())
    }

    #[test]
    fn both_magic_numbers_begin_an_archive() {
        assert!(is_archive(MAGIC) && is_archive(b"!<thin>\nmember"));
        assert!(!is_archive(b"!<arch>") && !is_archive(b"") && !is_archive(b"\x7FELF"));
    }

    #[test]
    fn no_truncation_and_no_changed_byte_panics() {
        let data = archive(MAGIC, &[("a.o", b"1234"), ("b.o", b"22")]);
        for length in 0..data.len() {
            let _ = archive_members(&data[..length], never);
        }
        for position in 0..data.len() {
            for value in [0, b'/', b'0', b'9', 0xFF] {
                let mut changed = data.clone();
                changed[position] = value;
                let _ = archive_members(&changed, never);
            }
        }
    }
}
