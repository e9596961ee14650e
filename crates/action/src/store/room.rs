//! Keeps the cache below its limit, without looking at all of it each time.
//!
//! One file counts the bytes of all entries. A process that keeps a result adds to the count. A
//! process that finds the count above the limit looks at every file, drops the least recently used
//! until a tenth of the limit is free, and corrects the count. So the folder is walked once for
//! each tenth of the limit that is written. In a folder where users can only remove their own
//! files, each user has a count and the limit for those.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::clock;
use crate::size::Size;
use crate::store::files::{SharedFolder, TEMPORARY, is_folder, is_refusal, list};
use crate::store::lock::lock;

/// Part of the limit that a clean-up leaves in use, in tenths.
const KEPT_TENTHS: u64 = 9;

/// Age from which a temporary file belongs to a process that was killed.
const ABANDONED: Duration = Duration::from_hours(1);

/// A file of the cache.
pub(super) struct Kept {
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
    pub(super) used: SystemTime,
    owner: u32,
}

/// Adds `bytes` to the count and then creates their entry with `make`. Returns whether the limit is
/// passed. An unreadable count counts as too high.
///
/// A process that is killed between the two steps leaves a count that is too high, which the next
/// clean-up corrects, and never one that is too low. One lock covers both steps, so that a clean-up
/// which read the count with these bytes in it also sees the entry.
pub(super) fn charge_for<T>(
    folder: &SharedFolder,
    limit: Size,
    bytes: u64,
    make: impl FnOnce() -> io::Result<T>,
) -> io::Result<bool> {
    let mut file = open_count(folder)?;
    let total = read_count(&mut file)?.unwrap_or(u64::MAX).saturating_add(bytes);
    write_count(&mut file, total)?;
    make()?;
    Ok(total > limit.0)
}

/// Drops the least recently used files until the cache is well below its limit, and returns the
/// number of bytes that were dropped. While another process does that, this does nothing.
pub(super) fn make_room(folder: &SharedFolder, limit: Size) -> io::Result<Size> {
    if !is_folder(&folder.root()) {
        return Ok(Size(0));
    }
    let guard = folder.open_common(&folder.root().join("lock"))?;
    if guard.try_lock().is_err() {
        return Ok(Size(0));
    }
    let before = read_count(&mut open_count(folder)?)?;
    let mut files = files(folder)?;
    if let Some(user) = folder.user_with_own_limit()? {
        files.retain(|file| file.owner == user);
    }
    files.sort_by_key(|file| file.used);
    let mut total: u64 = files.iter().map(|file| file.bytes).sum();
    let enough = limit.0 / 10 * KEPT_TENTHS;
    let mut dropped = 0;
    for file in files {
        if total <= enough {
            break;
        }
        match std::fs::remove_file(&file.path) {
            Ok(()) => dropped += file.bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            // The file is in a folder of another user's.
            Err(error) if is_refusal(&error) => continue,
            Err(error) => return Err(error),
        }
        total -= file.bytes;
    }
    // Results that were kept meanwhile may have been seen or not. To count them twice is safe.
    let mut file = open_count(folder)?;
    let meanwhile = match (before, read_count(&mut file)?) {
        (Some(before), Some(now)) => now.saturating_sub(before),
        _ => 0,
    };
    write_count(&mut file, total.saturating_add(meanwhile))?;
    Ok(Size(dropped))
}

/// Returns every entry and history, and removes the files that killed processes left. Other files,
/// such as links or files with names that no cache gives, are skipped and stay.
pub(super) fn files(folder: &SharedFolder) -> io::Result<Vec<Kept>> {
    let now = clock::now();
    let mut files = Vec::new();
    for folder in [folder.path().to_owned(), folder.root(), folder.root().join("tools")] {
        if is_folder(&folder) {
            for path in list(&folder).unwrap_or_default() {
                remove_if_abandoned(&path, now);
            }
        }
    }
    let kinds = ["entries", "history", "damaged"].map(|kind| folder.root().join(kind));
    for kind in kinds.into_iter().filter(|kind| is_folder(&folder.root()) && is_folder(kind)) {
        for shard in list(&kind)?.into_iter().filter(|shard| is_folder(shard)) {
            let paths = match list(&shard) {
                // The folder is another user's and private.
                Err(error) if is_refusal(&error) => continue,
                paths => paths?,
            };
            for path in paths {
                let data = path.symlink_metadata();
                let Some(data) = data.ok().filter(std::fs::Metadata::is_file) else { continue };
                let used = data.modified().unwrap_or(now);
                let name = path.file_name().unwrap_or_default().as_encoded_bytes();
                if is_digest(name) {
                    files.push(Kept { path, bytes: data.len(), used, owner: data.uid() });
                } else {
                    remove_if_abandoned(&path, now);
                }
            }
        }
    }
    Ok(files)
}

/// Removes a temporary file whose owner was killed. A file that cannot be removed stays.
fn remove_if_abandoned(path: &Path, now: SystemTime) {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let Ok(data) = path.symlink_metadata() else { return };
    let is_old =
        data.modified().is_ok_and(|used| now.duration_since(used).is_ok_and(|age| age > ABANDONED));
    if name.starts_with(TEMPORARY.as_bytes()) && data.is_file() && is_old {
        let _ = std::fs::remove_file(path);
    }
}

/// Opens the file of the count, which is locked until it is dropped.
fn open_count(folder: &SharedFolder) -> io::Result<File> {
    let name = match folder.user_with_own_limit()? {
        Some(user) => format!("size-{user}"),
        None => "size".to_owned(),
    };
    let file = folder.open_common(&folder.root().join(name))?;
    lock(&file)?;
    Ok(file)
}

/// Whether `name` is a name that the cache gives to files: a digest in hexadecimal.
fn is_digest(name: &[u8]) -> bool {
    name.len() == 64 && name.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Reads the count; `None` if the file holds none. An empty file is a new one.
fn read_count(file: &mut File) -> io::Result<Option<u64>> {
    let mut text = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut text)?;
    if text.is_empty() {
        return Ok(Some(0));
    }
    Ok(std::str::from_utf8(&text).ok().and_then(|text| text.trim().parse().ok()))
}

/// Overwrites the count in place, always with the same number of bytes, so that no reader sees an
/// empty or a shorter number.
fn write_count(file: &mut File, count: u64) -> io::Result<()> {
    file.rewind()?;
    file.write_all(format!("{count:020}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Puts files of `bytes` each into the cache, the first of which was used least recently.
    fn fill(folder: &SharedFolder, names: &[&str], bytes: usize) -> io::Result<Vec<PathBuf>> {
        let shard = folder.root().join("entries/ab");
        std::fs::create_dir_all(&shard)?;
        let paths = names.iter().map(|name| shard.join(name)).collect::<Vec<_>>();
        for (age, path) in paths.iter().rev().enumerate() {
            std::fs::write(path, vec![0; bytes])?;
            let file = File::options().write(true).open(path)?;
            file.set_modified(clock::now() - Duration::from_secs(age as u64))?;
        }
        Ok(paths)
    }

    #[test]
    fn a_clean_up_drops_the_least_recently_used_results_and_nothing_else() -> io::Result<()> {
        let cache = tempfile::tempdir()?;
        let folder = SharedFolder::new(cache.path().to_owned());
        assert_eq!(make_room(&folder, Size(1))?, Size(0), "there is no cache");
        folder.prepare()?;
        let names = ["1", "2", "3", "4"].map(|digit| digit.repeat(64));
        let results = fill(&folder, &names.each_ref().map(String::as_str), 100)?;
        // Names that no cache gives: too short, and no digits.
        let others = fill(&folder, &["12", &"x".repeat(64)], 100)?;
        // Nine tenths of the limit are 180 bytes, so one of four results can stay.
        assert_eq!(make_room(&folder, Size(200))?, Size(300));
        let left = results.iter().map(|path| path.exists()).collect::<Vec<_>>();
        assert_eq!(left, [false, false, false, true]);
        assert!(others.iter().all(|path| path.exists()));
        assert_eq!(make_room(&folder, Size(200))?, Size(0), "there is room");
        assert_eq!(read_count(&mut open_count(&folder)?)?, Some(100));
        Ok(())
    }

    #[test]
    fn a_link_in_the_place_of_the_cache_is_not_followed() -> io::Result<()> {
        let cache = tempfile::tempdir()?;
        let folder = SharedFolder::new(cache.path().to_owned());
        folder.prepare()?;
        fill(&folder, &["1".repeat(64).as_str()], 100)?;
        assert_eq!(files(&folder)?.len(), 1);
        let elsewhere = cache.path().join("elsewhere");
        std::fs::rename(folder.root(), &elsewhere)?;
        std::os::unix::fs::symlink(&elsewhere, folder.root())?;
        assert_eq!(files(&folder)?.len(), 0);
        Ok(())
    }

    #[test]
    fn the_count_says_when_the_limit_is_passed() -> io::Result<()> {
        let cache = tempfile::tempdir()?;
        let folder = SharedFolder::new(cache.path().to_owned());
        folder.prepare()?;
        let charge = |bytes| charge_for(&folder, Size(100), bytes, || Ok(()));
        assert_eq!((charge(60)?, charge(40)?, charge(1)?), (false, false, true));
        assert_eq!(read_count(&mut open_count(&folder)?)?, Some(101));
        std::fs::write(folder.root().join("size"), "damaged")?;
        assert!(charge(1)?, "nobody knows how large the cache is");
        Ok(())
    }

    #[test]
    fn temporary_files_of_killed_processes_are_removed_wherever_they_are() -> io::Result<()> {
        let cache = tempfile::tempdir()?;
        let folder = SharedFolder::new(cache.path().to_owned());
        folder.prepare()?;
        let now = clock::now();
        let mut temporary = Vec::new();
        for place in ["", "v1", "v1/tools", "v1/entries/ab", "v1/history/ab"] {
            std::fs::create_dir_all(cache.path().join(place))?;
            for (name, hours) in [(".weft-old", 2), (".weft-new", 0), ("old", 2)] {
                let path = cache.path().join(place).join(name);
                std::fs::write(&path, "part")?;
                File::options()
                    .write(true)
                    .open(&path)?
                    .set_modified(now - Duration::from_hours(hours))?;
                temporary.push((path, name));
            }
        }
        assert_eq!(files(&folder)?.len(), 0);
        for (path, name) in temporary {
            assert_eq!(path.exists(), name != ".weft-old", "{}", path.display());
        }
        Ok(())
    }
}
