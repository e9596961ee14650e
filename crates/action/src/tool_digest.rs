//! Digests of programs.
//!
//! A program counts by its content. Computing the digest of ptxas, which has 50 MB, takes 14 ms of
//! processor time, while a process that takes a cubin from the cache needs 6 ms for everything
//! else. So the cache keeps the digest, under the facts that tell the file from every other and
//! from its own earlier content: device, inode, size, and the times of the last writing and of the
//! last change, of which the kernel alone sets the second. The digest by which servers know the
//! program is kept in the same way: a process that takes one result from a remote cache does not
//! read the program at all.
//!
//! The kernel sets the time of the last change where it manages the file system itself, and not
//! where an image or another machine supplies it: two images that were made the same way hold files
//! of different content with equal numbers and times. A note is written and believed only where
//! that cannot happen: on a file system of the list below, for a change time with a fraction of a
//! second, which makers of images do not write, and within one run of the kernel, as device numbers
//! mean nothing beyond it. Everywhere else each process that needs the digest reads the file again.

use std::io;
use std::path::Path;
use std::time::Duration;

use weft_artifact::Digest;
use weft_remote::KnownFile;
use weft_remote::digest::{self as remote, DigestFunction};

use crate::clock;
use crate::store::{Store, files};
use crate::tool::Tool;

/// A file that changed less than this ago may change again within the same tick of its clock.
const SETTLED: Duration = Duration::from_secs(3);

/// Returns the digest of the file at `path`.
pub(crate) fn digest(path: &Path, store: Option<&Store>) -> io::Result<Digest> {
    let digest = by(DigestFunction::Blake3, path, store)?;
    Ok(Digest::from_bytes(*digest.hash()))
}

/// Returns one digest of the names and contents of `tools`.
pub(crate) fn of_all(tools: &[Tool], store: Option<&Store>) -> io::Result<Digest> {
    let line = |tool: &Tool| {
        let digest = digest(&tool.path, store)?;
        // Neither the name nor the digest can hold the end of a line.
        Ok(format!("{}\t{}\n", tool.name, digest.to_hex()))
    };
    let lines = tools.iter().map(line).collect::<io::Result<String>>()?;
    Ok(weft_artifact::digest(lines.as_bytes()))
}

/// Returns the file at `path` with the digests by which servers may name it.
pub(crate) fn known(path: &Path, store: Option<&Store>) -> io::Result<KnownFile> {
    let sha256 = by(DigestFunction::Sha256, path, store)?;
    let blake3 = by(DigestFunction::Blake3, path, store)?;
    Ok(KnownFile { path: path.to_owned(), sha256, blake3 })
}

/// Returns the digest by one function, and notes it in `store`.
fn by(function: DigestFunction, path: &Path, store: Option<&Store>) -> io::Result<remote::Digest> {
    let identity = identity(path, function)?;
    let Some((store, (identity, size))) = store.zip(identity) else {
        return function.digest_file(path);
    };
    let note = store.shared().root().join("tools").join(identity.to_hex().as_str());
    if let Some(hash) = files::read_own(&note).ok().and_then(|note| noted(&identity, &note)) {
        return Ok(remote::Digest::new(hash, size));
    }
    let digest = function.digest_file(path)?;
    // A note that cannot be written costs time at the next lookup and nothing else.
    let note_it = || store.shared().write(&note, &as_note(&identity, digest.hash()));
    let _ = store.shared().prepare().and_then(|()| note_it());
    Ok(digest)
}

/// Returns the note: the hash, followed by a digest of the hash and the identity, which reveals
/// damage.
fn as_note(identity: &Digest, hash: &[u8; 32]) -> Vec<u8> {
    let check = blake3::keyed_hash(identity.as_bytes(), hash);
    [&hash[..], check.as_bytes()].concat()
}

fn noted(identity: &Digest, note: &[u8]) -> Option<[u8; 32]> {
    let hash = note.get(..32)?.try_into().ok()?;
    (note == as_note(identity, &hash)).then_some(hash)
}

/// Returns a digest of the facts that identify the file's content and the function, and the file's
/// size; `None` where another content could have the same facts.
#[cfg(target_os = "linux")]
fn identity(path: &Path, function: DigestFunction) -> io::Result<Option<(Digest, u64)>> {
    use std::os::unix::fs::MetadataExt as _;
    let file = std::fs::File::open(path)?;
    let data = file.metadata()?;
    let system = rustix::fs::fstatfs(&file)?.f_type;
    let now = clock::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let changed = (data.ctime(), data.ctime_nsec());
    let Ok(boot) = std::fs::read("/proc/sys/kernel/random/boot_id") else { return Ok(None) };
    if boot.is_empty() || !identifies_content(system, changed, now) {
        return Ok(None);
    }
    let times = [data.mtime(), data.mtime_nsec(), changed.0, changed.1];
    let mut bytes: Vec<u8> = times.iter().flat_map(|time| time.to_le_bytes()).collect();
    bytes.extend(
        [data.dev(), data.ino(), data.size()].iter().flat_map(|number| number.to_le_bytes()),
    );
    bytes.extend(format!("{function:?}").as_bytes());
    bytes.extend(boot);
    // In a folder that several users share, each user has private notes and trusts no others.
    bytes.extend(rustix::process::geteuid().as_raw().to_le_bytes());
    Ok(Some((blake3::hash(&bytes), data.size())))
}

#[cfg(not(target_os = "linux"))]
fn identity(_path: &Path, _function: DigestFunction) -> io::Result<Option<(Digest, u64)>> {
    Ok(None)
}

/// File systems of this machine that can be written, by their numbers in `statfs`: ext2 to ext4,
/// XFS, Btrfs, tmpfs, overlayfs, F2FS, ZFS, bcachefs.
#[cfg(target_os = "linux")]
const KERNELS_OWN: [i64; 8] = [
    0xef53,
    0x5846_5342,
    0x9123_683e,
    0x0102_1994,
    0x794c_7630,
    0xf2f5_2010,
    0x2fc1_2fc1,
    0xca45_1a4e,
];

/// Whether the time of a file's last change, in seconds and nanoseconds, identifies its content on
/// a file system of the kind `system`, at the time `now` since the epoch.
#[cfg(target_os = "linux")]
fn identifies_content(system: i64, changed: (i64, i64), now: Duration) -> bool {
    let (Ok(seconds), 1..) = (u64::try_from(changed.0), changed.1) else {
        return false;
    };
    let age = now.checked_sub(Duration::from_secs(seconds));
    KERNELS_OWN.contains(&system) && age.is_some_and(|age| age >= SETTLED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn times_that_somebody_else_than_the_kernel_may_have_set_tell_nothing() {
        let now = Duration::from_hours(500_000);
        let usual = (1_700_000_000, 123_456_789);
        assert!(identifies_content(0xef53, usual, now));
        // squashfs, ISO 9660, EROFS, FUSE, NFS.
        for image in [0x7371_7368, 0x9660, 0xe0f5_e1e2, 0x6573_5546, 0x6969] {
            assert!(!identifies_content(image, usual, now), "{image:x}");
        }
        // A constant that the image's maker chose, and the times of files changed just now or
        // later.
        for time in [(0, 0), (1, 0), (1_700_000_000, 0), (1_799_999_999, 5), (1_900_000_000, 5)] {
            assert!(!identifies_content(0xef53, time, now), "{time:?}");
        }
        assert!(!identifies_content(0xef53, (-1, 5), now));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn files_of_images_are_read_each_time_and_others_are_noted() {
        let of = |path: &Path| identity(path, DigestFunction::Blake3).unwrap();
        // A real file system that makes up its times.
        assert_eq!(of(Path::new("/proc/version")), None);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tool");
        std::fs::write(&path, "content").unwrap();
        assert_eq!(of(&path), None, "it may change again within the same tick");
        std::thread::sleep(SETTLED + Duration::from_secs(1));
        let Some((name, size)) = of(&path) else {
            panic!("{}: an old file of this machine is not noted", path.display());
        };
        assert_eq!(size, 7);
        let other = identity(&path, DigestFunction::Sha256).unwrap();
        assert_ne!(other.map(|(name, _)| name), Some(name));
    }

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
