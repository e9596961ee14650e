//! Files and folders of a cache that others may write to.
//!
//! Any user with access to the folder may have put a file there. So links are not followed (one
//! could lead to a file of this user), no open blocks (as it would on a FIFO), and anything but a
//! regular file is an error. Conversely, other users must be able to use a shared folder: the first
//! writer's umask would otherwise keep them out. So all modes follow the mode of the cache's top
//! folder: `2775` for a group, `1777` for everybody, `700` for one user.

use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::process::{Gid, getegid, geteuid, getgroups};

/// Version of the layout. Other versions use separate folders.
const LAYOUT: &str = "v1";

/// Prefix of the names of files that are being written.
pub(super) const TEMPORARY: &str = ".weft-";

/// Marks a folder that backups leave out, by a convention of many tools.
const TAG: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# The cache of Weft's executables.\n";

/// Bit of a folder in which users can only remove their own files.
const STICKY: u32 = 0o1000;
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

/// Whether `data` is of a folder that belongs to `user`, and that nobody else can write to.
fn is_private_to(user: u32, data: &Metadata) -> bool {
    data.is_dir() && data.uid() == user && data.mode() & 0o022 == 0
}

/// The users that can write to a folder.
#[derive(Clone, Copy, Debug)]
struct Access {
    owner: u32,
    group: u32,
    mode: u32,
}

impl Access {
    /// Whether `user`, who is in `groups`, takes results from the folder.
    fn is_trusted_by(self, user: u32, groups: &[u32]) -> bool {
        let Self { owner, group, mode } = self;
        let is_groups = mode & 0o020 != 0 && groups.contains(&group);
        let is_everybodys = mode & 0o1002 == 0o1002;
        owner == user || owner == 0 || is_groups || is_everybodys
    }
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
        if is_private_to(user, &folder.symlink_metadata()?) {
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
        let groups = getgroups().unwrap_or_default().into_iter().chain([getegid()]);
        let groups: Vec<u32> = groups.map(Gid::as_raw).collect();
        let access = Access { owner: data.uid(), group: data.gid(), mode: data.mode() };
        if access.is_trusted_by(geteuid().as_raw(), &groups) {
            return None;
        }
        let owner = access.owner;
        Some(format!(
            "it belongs to the user {owner} and is not shared: make it yours, or writable for a \
             group \
             of yours (2775) or for all (1777)"
        ))
    }

    fn mode(&self) -> io::Result<u32> {
        Ok(self.path.metadata()?.mode() & MODE)
    }

    /// Returns this user, if nobody but root can remove what others keep in the folder. Each user's
    /// files have the limit of the cache for themselves then; otherwise one who keeps much would
    /// leave the others no room, and their results would go at once.
    pub(super) fn user_with_own_limit(&self) -> io::Result<Option<u32>> {
        let user = geteuid().as_raw();
        Ok((self.mode()? & STICKY != 0 && user != 0).then_some(user))
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind::{AlreadyExists, InvalidData, NotFound, PermissionDenied};

    fn mode(path: &Path) -> u32 {
        path.symlink_metadata().unwrap().mode() & MODE
    }

    fn set_mode(path: &Path, mode: u32) {
        std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn files_and_folders_of_a_cache_are_open_to_whom_its_folder_is() {
        let place = tempfile::tempdir().unwrap();
        // The modes of the cache's folder, of one in it, of a result and of a common file.
        let cases = [
            (0o700, 0o700, 0o600, 0o600),
            (0o2775, 0o2775, 0o644, 0o664),
            (0o1777, 0o1777, 0o644, 0o666),
        ];
        for (own, of_folder, of_result, of_common) in cases {
            let folder = SharedFolder::new(place.path().join(format!("{own:o}")));
            folder.prepare().unwrap();
            assert_eq!(mode(folder.path()), 0o700, "a new folder is private");
            std::fs::remove_dir_all(folder.root()).unwrap();
            set_mode(folder.path(), own);
            folder.prepare().unwrap();
            assert_eq!(mode(&folder.root()), of_folder);
            let inner = folder.root().join("a/b");
            folder.make_folder(&inner).unwrap();
            assert_eq!([mode(inner.parent().unwrap()), mode(&inner)], [of_folder; 2]);
            folder.write(&inner.join("result"), b"result").unwrap();
            assert_eq!(mode(&inner.join("result")), of_result);
            folder.open_common(&inner.join("common")).unwrap();
            assert_eq!(mode(&inner.join("common")), of_common);
        }
    }

    #[test]
    fn a_folder_of_one_user_is_refused_once_others_can_write_to_it() {
        let place = tempfile::tempdir().unwrap();
        let folder = SharedFolder::new(place.path().join("cache"));
        let private = folder.private("notes").unwrap();
        let name = format!("notes-{}", geteuid().as_raw());
        assert_eq!(private, folder.root().join(name));
        assert_eq!(mode(&private), 0o700);
        for (mode, is_accepted) in [(0o755, true), (0o720, false), (0o702, false), (0o700, true)] {
            set_mode(&private, mode);
            let found = folder.private("notes").map_err(|error| error.kind());
            let expected = if is_accepted { Ok(private.clone()) } else { Err(PermissionDenied) };
            assert_eq!(found, expected, "{mode:o}");
        }
        std::fs::rename(&private, place.path().join("elsewhere")).unwrap();
        std::os::unix::fs::symlink(place.path().join("elsewhere"), &private).unwrap();
        assert_eq!(folder.private("notes").unwrap_err().kind(), PermissionDenied, "a link");
    }

    #[test]
    fn a_folder_of_another_user_is_trusted_if_it_is_shared_on_purpose() {
        let (me, other, my_groups) = (1000, 1001, [1000, 50]);
        let is_trusted = |owner, group, mode: u32| {
            Access { owner, group, mode: 0o040_000 | mode }.is_trusted_by(me, &my_groups)
        };
        assert!(is_trusted(me, 7, 0o700), "their own");
        assert!(is_trusted(0, 7, 0o755), "root's");
        assert!(!is_trusted(other, 7, 0o755), "another user's");
        assert!(!is_trusted(other, 50, 0o2755), "another's, which the group may only read");
        assert!(!is_trusted(other, 7, 0o2775), "another group's");
        assert!(is_trusted(other, 50, 0o2775), "one of their groups'");
        assert!(is_trusted(other, 7, 0o1777), "everybody's, as /tmp");
        assert!(!is_trusted(other, 7, 0o777), "everybody's, where files can be replaced");
        assert!(!is_trusted(other, 7, 0o1755), "with the mark of /tmp alone");
    }

    #[test]
    fn a_private_folder_belongs_to_its_user() {
        let place = tempfile::tempdir().unwrap();
        let (folder, file) = (place.path().join("folder"), place.path().join("file"));
        make_private(&folder).unwrap();
        std::fs::write(&file, "").unwrap();
        set_mode(&file, 0o600);
        let of = |user, path: &Path| is_private_to(user, &path.symlink_metadata().unwrap());
        let me = geteuid().as_raw();
        assert_eq!([of(me, &folder), of(me + 1, &folder), of(me, &file)], [true, false, false]);
    }

    #[test]
    fn a_file_of_others_in_the_place_of_a_folder_is_an_error_and_no_link_is_followed() {
        let place = tempfile::tempdir().unwrap();
        let folder = SharedFolder::new(place.path().to_owned());
        folder.prepare().unwrap();
        let at = |name: &str| folder.root().join(name);
        std::fs::write(at("file"), "content").unwrap();
        std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
        std::os::unix::fs::symlink(folder.root(), at("folder-link")).unwrap();
        for name in ["file", "link", "folder-link"] {
            assert_eq!(folder.make_folder(&at(name)).unwrap_err().kind(), AlreadyExists, "{name}");
        }
        assert!(read(&at("link")).is_err());
        assert!(folder.open_common(&at("link")).is_err());
        assert_eq!(read(&folder.root()).unwrap_err().kind(), InvalidData);
        assert_eq!(folder.open_common(&folder.root().join("a/b")).unwrap_err().kind(), NotFound);
        assert_eq!(read_own(&at("file")).unwrap(), b"content");
        assert_eq!(read_own(&at("none")).unwrap_err().kind(), NotFound);
    }

    #[test]
    fn a_common_file_is_made_once_and_opened_by_all() {
        let place = tempfile::tempdir().unwrap();
        let folder = SharedFolder::new(place.path().to_owned());
        let path = place.path().join("common");
        folder.open_common(&path).unwrap().write_all(b"first").unwrap();
        let mut content = String::new();
        folder.open_common(&path).unwrap().read_to_string(&mut content).unwrap();
        assert_eq!(content, "first");
    }

    #[test]
    fn the_files_of_a_folder_that_is_not_there_are_none() {
        let place = tempfile::tempdir().unwrap();
        assert_eq!(list(&place.path().join("none")).unwrap(), Vec::<PathBuf>::new());
        let file = place.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert_eq!(list(place.path()).unwrap(), std::slice::from_ref(&file));
        assert!(list(&file).is_err());
    }

    #[test]
    fn a_folder_of_this_user_or_of_root_is_trusted() {
        let place = tempfile::tempdir().unwrap();
        for path in [place.path(), Path::new("/"), &place.path().join("none")] {
            assert_eq!(SharedFolder::new(path.to_owned()).distrust(), None, "{}", path.display());
        }
    }

    #[test]
    fn a_refusal_is_an_error_of_permissions() {
        let of = |kind: io::ErrorKind| is_refusal(&io::Error::from(kind));
        assert!(of(PermissionDenied) && of(io::ErrorKind::ReadOnlyFilesystem));
        assert!(!of(NotFound) && !of(io::ErrorKind::StorageFull));
    }
}
