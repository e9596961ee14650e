//! Digests of programs.
//!
//! A program counts by its content. To read 50 MB for every lookup would cost more than some
//! lookups save, so the digest is kept in the cache, under what tells the file from every other and
//! from its own earlier content: device, inode, size, and the times of the last writing and of the
//! last change, of which the kernel alone sets the second. So it is for the digest by which servers
//! know the program: a process that takes one result from a remote cache does not read it at all.

use std::io;
use std::path::Path;
use std::time::Duration;

use weft_artifact::Digest;
use weft_artifact::file::write_atomically;
use weft_remote::KnownFile;
use weft_remote::digest::{self as remote, DigestFunction};

use crate::clock;
use crate::store::Store;

/// A file that changed less than this ago may change again within the same tick of its clock.
const SETTLED: Duration = Duration::from_secs(3);

/// The digest of the file at `path`.
pub(crate) fn digest(path: &Path, store: &Store) -> io::Result<Digest> {
    let digest = by(DigestFunction::Blake3, path, Some(store))?;
    Ok(Digest::from_bytes(*digest.hash()))
}

/// The file at `path` by the names that servers may have for it.
pub(crate) fn known(path: &Path, store: Option<&Store>) -> io::Result<KnownFile> {
    let sha256 = by(DigestFunction::Sha256, path, store)?;
    let blake3 = by(DigestFunction::Blake3, path, store)?;
    Ok(KnownFile { path: path.to_owned(), sha256, blake3 })
}

/// The digest by one function, noted in `store`.
fn by(function: DigestFunction, path: &Path, store: Option<&Store>) -> io::Result<remote::Digest> {
    let identity = identity(path, function)?;
    let Some((store, (identity, size))) = store.zip(identity) else {
        return function.digest_file(path);
    };
    let note = store.root().join("tools").join(identity.to_hex().as_str());
    if let Some(hash) = std::fs::read(&note).ok().and_then(|it| noted(&identity, &it)) {
        return Ok(remote::Digest::new(hash, size));
    }
    let digest = function.digest_file(path)?;
    // A note that cannot be written costs time at the next lookup and nothing else.
    let note_it = || write_atomically(&note, &as_note(&identity, digest.hash()));
    let _ = store.prepare().and_then(|()| note_it());
    Ok(digest)
}

/// The hash, and after it a digest of it and the identity: a damaged note is none.
fn as_note(identity: &Digest, hash: &[u8; 32]) -> Vec<u8> {
    let check = blake3::keyed_hash(identity.as_bytes(), hash);
    [&hash[..], check.as_bytes()].concat()
}

fn noted(identity: &Digest, note: &[u8]) -> Option<[u8; 32]> {
    let hash = note.get(..32)?.try_into().ok()?;
    (note == as_note(identity, &hash)).then_some(hash)
}

/// What tells the file's content from others, and a digest by one function from those by others, and the
/// file's size; `None` while it may still change unseen.
#[cfg(unix)]
fn identity(path: &Path, function: DigestFunction) -> io::Result<Option<(Digest, u64)>> {
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
    bytes.extend(format!("{function:?}").as_bytes());
    Ok(Some((blake3::hash(&bytes), data.size())))
}

#[cfg(not(unix))]
fn identity(_path: &Path, _function: DigestFunction) -> io::Result<Option<(Digest, u64)>> {
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_note_is_none() {
        let (identity, hash) = (blake3::hash(b"file"), [7; 32]);
        let note = as_note(&identity, &hash);
        assert_eq!(noted(&identity, &note), Some(hash));
        assert_eq!(noted(&blake3::hash(b"other"), &note), None);
        assert_eq!(noted(&identity, &note[..40]), None);
        for position in 0..note.len() {
            let mut damaged = note.clone();
            damaged[position] ^= 1;
            assert_eq!(noted(&identity, &damaged), None);
        }
    }
}
