//! Files and folders of a cache that others may write to.
//!
//! Any user with access to the folder may have put a file there. So nothing in the folder is
//! followed (a link could lead to a file of the user's), nothing is waited for (opening a FIFO
//! would wait forever), and anything but a regular file is an error. In turn, other users must be
//! able to use a folder that was made for them: the first writer's mask would otherwise keep them
//! out. So all modes follow that of the cache's own folder: `2775` is a group's, `1777`
//! everybody's, `700` one user's.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::process::{getegid, geteuid, getgroups};

/// Version of the layout. Other versions have folders of their own.
const LAYOUT: &str = "v1";

/// Prefix of the names of files that are being written.
pub(super) const TEMPORARY: &str = ".weft-";

/// Marks a folder that backups leave out, by a convention of many tools.
const TAG: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# The cache of Weft's executables.\n";

/// Permission bits that a file's owner always has.
const OWNERS: u32 = 0o600;
/// Bits of a folder's mode that hold the permissions to read, write, enter and remove.
const MODE: u32 = 0o7777;

/// Opens a regular file.
pub(crate) fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = options.custom_flags(flags).open(path)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    let what = format!("{} is no regular file", path.display());
    Err(io::Error::new(io::ErrorKind::InvalidData, what))
}

/// Reads a regular file, and returns its content and the open file.
pub(super) fn read_open(path: &Path) -> io::Result<(Vec<u8>, File)> {
    let mut file = open(path, OpenOptions::new().read(true))?;
    let mut content = Vec::new();
    file.read_to_end(&mut content)?;
    Ok((content, file))
}

/// Reads a regular file.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_open(path).map(|(content, _)| content)
}

/// Reads a regular file that only this user and root can have written; any other is an error.
pub(crate) fn read_own(path: &Path) -> io::Result<Vec<u8>> {
    let (content, file) = read_open(path)?;
    let owner = file.metadata()?.uid();
    if owner == geteuid().as_raw() || owner == 0 {
        return Ok(content);
    }
    Err(io::Error::from(io::ErrorKind::PermissionDenied))
}

/// Whether `path` is a folder itself, and no link to one.
pub(super) fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|data| data.is_dir())
}

/// Whether an error says that the cache is not this user's to write.
pub(crate) fn is_refusal(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// The folder of a cache, with the modes that files in it get.
#[derive(Clone, Debug)]
pub(crate) struct SharedFolder {
    path: PathBuf,
}

impl SharedFolder {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// Returns the folder's path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the folder of this layout.
    pub(crate) fn root(&self) -> PathBuf {
        self.path.join(LAYOUT)
    }

    /// Creates the folder. A folder that is created here is private to the user.
    pub(crate) fn prepare(&self) -> io::Result<()> {
        let root = self.root();
        if is_folder(&root) {
            return Ok(());
        }
        make_private(&self.path)?;
        self.make_folder(&root)?;
        let tag = self.path.join("CACHEDIR.TAG");
        if tag.exists() { Ok(()) } else { self.write(&tag, TAG.as_bytes()) }
    }

    /// Creates a folder that only this user can enter, and returns its path. Where users share the
    /// cache, each has one.
    pub(crate) fn private(&self, name: &str) -> io::Result<PathBuf> {
        self.prepare()?;
        let user = geteuid().as_raw();
        let folder = self.root().join(format!("{name}-{user}"));
        if !is_folder(&folder) {
            make_private(&folder)?;
        }
        let data = folder.symlink_metadata()?;
        if data.is_dir() && data.uid() == user && data.mode() & 0o022 == 0 {
            return Ok(folder);
        }
        Err(io::Error::from(io::ErrorKind::PermissionDenied))
    }

    /// Opens a file that all users of the cache write to, and creates it if it does not exist.
    pub(crate) fn open_common(&self, path: &Path) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        loop {
            // The kernel refuses to create a file where another user's is, even one that may be
            // written.
            match open(path, &mut options) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                result => return result,
            }
            match open(path, options.clone().create_new(true)) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(file) => {
                    self.open_to_all(&file)?;
                    return Ok(file);
                }
            }
        }
    }

    /// Lets all users of the cache write to a file.
    pub(crate) fn open_to_all(&self, file: &File) -> io::Result<()> {
        file.set_permissions(Permissions::from_mode(self.mode()? & 0o666 | OWNERS))
    }

    /// Creates a file with `content` that can be moved to a path in `folder`, and is readable for
    /// all users of the cache.
    pub(crate) fn prepared(
        &self,
        folder: &Path,
        content: &[u8],
    ) -> io::Result<tempfile::NamedTempFile> {
        self.make_folder(folder)?;
        let mut file = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(folder)?;
        file.write_all(content)?;
        let mode = self.mode()? & 0o444 | OWNERS;
        file.as_file().set_permissions(Permissions::from_mode(mode))?;
        Ok(file)
    }

    /// Writes a file whole or not at all.
    pub(crate) fn write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let file = self.prepared(path.parent().unwrap_or(&self.path), content)?;
        file.persist(path).map(drop).map_err(|failed| failed.error)
    }

    /// Creates a folder below the cache's own, for all users of the cache.
    pub(super) fn make_folder(&self, folder: &Path) -> io::Result<()> {
        if is_folder(folder) || folder == self.path {
            return Ok(());
        }
        if let Some(parent) = folder.parent() {
            self.make_folder(parent)?;
        }
        match std::fs::create_dir(folder) {
            Ok(()) => {
                let mode = self.mode()? | OWNERS | 0o100;
                std::fs::set_permissions(folder, Permissions::from_mode(mode))
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_folder(folder) => {
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Returns why results in the folder are not to be trusted; `None` if they are, or if there is
    /// no folder.
    ///
    /// A user who can write there can give this user any code for any GPU program. The user
    /// themselves and root can do that anyway. A folder that others can write to is accepted only
    /// if it is shared on purpose: with a group that the user is in, or with everybody as `/tmp`
    /// is.
    pub(crate) fn distrust(&self) -> Option<String> {
        let data = self.path.metadata().ok()?;
        let owner = data.uid();
        if owner == geteuid().as_raw() || owner == 0 {
            return None;
        }
        let mode = data.mode();
        let group = data.gid();
        let mut groups = getgroups().unwrap_or_default().into_iter().chain([getegid()]);
        let is_groups = mode & 0o020 != 0 && groups.any(|known| known.as_raw() == group);
        let is_everybodys = mode & 0o1002 == 0o1002;
        if is_groups || is_everybodys {
            return None;
        }
        Some(format!(
            "it belongs to the user {owner} and is not shared: make it yours, or writable for a \
             group \
             of yours (2775) or for all (1777)"
        ))
    }

    fn mode(&self) -> io::Result<u32> {
        Ok(self.path.metadata()?.mode() & MODE)
    }
}

fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Returns the paths of the files in a folder; none if there is no such folder.
pub(super) fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match std::fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
