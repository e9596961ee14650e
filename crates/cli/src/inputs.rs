//! Files that this process has read, so that none of them is overwritten.
//!
//! An output that names an input would destroy what it was made from, and the next run would fail
//! or make something else. Which options name outputs and which name inputs differs from command to
//! command, so every read is noted here and every output is compared with all of them, as files and
//! not as names: one file may have several.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Device and number of a file.
type Identity = (u64, u64);

/// The files that were read, each with a name of it.
static READ: Mutex<BTreeMap<Identity, PathBuf>> = Mutex::new(BTreeMap::new());

/// Notes that the file `path`, of which `metadata` is known, is an input. Pipes and devices are no
/// content that a write destroys.
pub(crate) fn note(path: &Path, metadata: &Metadata) {
    if metadata.is_file() {
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        read.entry(identity(metadata)).or_insert_with(|| path.to_owned());
    }
}

/// Returns the name under which the file `path` was read, if it was.
pub(crate) fn read_as(path: &Path) -> Option<PathBuf> {
    let number = identity(&path.metadata().ok()?);
    let name = READ.lock().unwrap_or_else(PoisonError::into_inner).get(&number).cloned()?;
    // A file that is gone leaves its number to others.
    (identity(&name.metadata().ok()?) == number).then_some(name)
}

fn identity(metadata: &Metadata) -> Identity {
    (metadata.dev(), metadata.ino())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_file_is_known_by_all_of_its_names() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let at = |name: &str| folder.path().join(name);
        for name in ["read", "other"] {
            fs::write(at(name), name)?;
        }
        fs::hard_link(at("read"), at("linked"))?;
        symlink("read", at("symbolic"))?;
        note(&at("read"), &at("read").metadata()?);
        for name in ["read", "linked", "symbolic"] {
            assert_eq!(read_as(&at(name)), Some(at("read")), "{name}");
        }
        assert_eq!(read_as(&at("other")), None);
        assert_eq!(read_as(&at("missing")), None);
        // Another file took the place of the one that was read.
        fs::rename(at("other"), at("read"))?;
        assert_eq!(read_as(&at("linked")), None);
        Ok(())
    }
}
