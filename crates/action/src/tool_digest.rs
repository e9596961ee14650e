//! Digests of programs.
//!
//! A program counts by its content. To read 50 MB for every lookup would cost more than some
//! lookups save, so the digest is kept in the cache, under what tells the file from every other and
//! from its own earlier content: device, inode, size, and the times of the last writing and of the
//! last change, of which the kernel alone sets the second.

use std::io;
use std::path::Path;
use std::time::Duration;

use weft_artifact::Digest;
use weft_artifact::file::write_atomically;

use crate::clock;
use crate::store::Store;

/// A file that changed less than this ago may change again within the same tick of its clock.
const SETTLED: Duration = Duration::from_secs(3);

/// The digest of the file at `path`.
pub(crate) fn digest(path: &Path, store: &Store) -> io::Result<Digest> {
    let Some(identity) = identity(path)? else { return read(path) };
    let note = store.root().join("tools").join(identity.to_hex().as_str());
    if let Some(digest) = std::fs::read(&note).ok().and_then(|it| noted(&identity, &it)) {
        return Ok(digest);
    }
    let digest = read(path)?;
    // A note that cannot be written costs time at the next lookup and nothing else.
    let _ = store.prepare().and_then(|()| write_atomically(&note, &as_note(&identity, &digest)));
    Ok(digest)
}

fn read(path: &Path) -> io::Result<Digest> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(std::fs::File::open(path)?)?;
    Ok(hasher.finalize())
}

/// The digest, and after it one of it and the identity: a damaged note is none.
fn as_note(identity: &Digest, digest: &Digest) -> Vec<u8> {
    let check = blake3::keyed_hash(identity.as_bytes(), digest.as_bytes());
    [&digest.as_bytes()[..], check.as_bytes()].concat()
}

fn noted(identity: &Digest, note: &[u8]) -> Option<Digest> {
    let digest = Digest::from_bytes(note.get(..32)?.try_into().ok()?);
    (note == as_note(identity, &digest)).then_some(digest)
}

/// What tells the file's content from others; `None` while it may still change unseen.
#[cfg(unix)]
fn identity(path: &Path) -> io::Result<Option<Digest>> {
    use std::os::unix::fs::MetadataExt as _;
    let data = path.metadata()?;
    let seconds = u64::try_from(data.ctime()).unwrap_or_default();
    let changed = std::time::UNIX_EPOCH + Duration::from_secs(seconds);
    if clock::now().duration_since(changed).map_or(true, |age| age < SETTLED) {
        return Ok(None);
    }
    let times = [data.mtime(), data.mtime_nsec(), data.ctime(), data.ctime_nsec()];
    let mut bytes: Vec<u8> = times.iter().flat_map(|it| it.to_le_bytes()).collect();
    bytes.extend([data.dev(), data.ino(), data.size()].iter().flat_map(|it| it.to_le_bytes()));
    Ok(Some(blake3::hash(&bytes)))
}

#[cfg(not(unix))]
fn identity(_path: &Path) -> io::Result<Option<Digest>> {
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_note_is_none() {
        let (identity, digest) = (blake3::hash(b"file"), blake3::hash(b"content"));
        let note = as_note(&identity, &digest);
        assert_eq!(noted(&identity, &note), Some(digest));
        assert_eq!(noted(&blake3::hash(b"other"), &note), None);
        assert_eq!(noted(&identity, &note[..40]), None);
        for position in 0..note.len() {
            let mut damaged = note.clone();
            damaged[position] ^= 1;
            assert_eq!(noted(&identity, &damaged), None);
        }
    }
}
