//! Packs executables that are there already.

use std::fs;
use std::path::{Path, PathBuf};

use dev_checkout::executables::PACKAGES;
use dev_checkout::installation;
use dev_process::{Error, Process, Result, while_trying};
use dev_toolchain::Toolchain;
use weft_older_glibc::OLDEST;

use crate::packages::{Style, archive, debian, wheel, while_making};
use crate::scan::refuse_paths;
use crate::tree::{File, Tree};
use crate::{components, glibc, notices, sbom, system};

/// Version of all packages: that of the workspace.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Folder of the licenses and the bill of materials in a prefix.
pub const DOCUMENTS: &str = "share/doc/weft/";
/// Name of the text with the licenses of everything that is linked in.
pub const NOTICES: &str = "third-party-licenses.txt";
/// Name of the bill of materials.
pub const BILL: &str = "weft.cdx.json";

/// Order for packages: their content and their form.
#[derive(Clone, Debug)]
pub struct Order<'paths> {
    /// The checkout.
    pub root: &'paths Path,
    /// The tools that built the executables.
    pub toolchain: &'paths Toolchain,
    /// Folder of the executables.
    pub executables: &'paths Path,
    /// Folder for the packages. It is made if need be, and other files in it are left alone.
    pub output: &'paths Path,
    /// Time of all files in seconds since 1970.
    pub time: u64,
    /// Whether the packages are to be small, which takes minutes.
    pub small: bool,
    /// Folders whose paths no file may hold.
    pub unwanted_paths: Vec<String>,
}

/// Paths of the packages.
#[derive(Clone, Debug)]
pub struct Packages {
    /// The archive of tar.
    pub archive: PathBuf,
    /// The Debian package.
    pub debian: PathBuf,
    /// The Python wheel.
    pub wheel: PathBuf,
}

impl Packages {
    /// Returns the names that packages in a folder have.
    pub fn names(folder: &Path) -> Self {
        Self {
            archive: folder.join(format!("{}.tar.zst", archive_root())),
            debian: folder.join(format!("weft_{VERSION}_amd64.deb")),
            wheel: folder.join(format!("weft-{VERSION}-py3-none-{}.whl", wheel::platform(OLDEST))),
        }
    }

    /// Returns all paths.
    pub fn all(&self) -> [&Path; 3] {
        [&self.archive, &self.debian, &self.wheel]
    }
}

/// Returns the name of the folder in the archive.
pub fn archive_root() -> String {
    format!("weft-{VERSION}-x86_64-linux")
}

/// Makes the three packages.
///
/// Executables that need a newer glibc than Weft states, and files with unwanted paths, are errors.
pub fn pack(order: &Order<'_>) -> Result<Packages> {
    let tree = tree(order)?;
    for name in PACKAGES {
        let path = format!("bin/{name}");
        let content = tree.0.get(&path).map(|file| file.content.as_slice()).unwrap_or_default();
        let (major, minor) = glibc::needs(&path, content)?.glibc;
        if (major, minor) > OLDEST {
            let (oldest_major, oldest_minor) = OLDEST;
            return Err(Error::new(format!(
                "{path} needs glibc {major}.{minor}, and Weft is to run with \
                 {oldest_major}.{oldest_minor}: see crates/older-glibc"
            )));
        }
    }
    refuse_paths(&tree, &order.unwanted_paths)?;
    let style = Style { time: order.time, small: order.small };
    let packages = Packages::names(order.output);
    fs::create_dir_all(order.output).map_err(while_trying("create", order.output))?;
    let archived = archive::zstd(&tree, &format!("{}/", archive_root()), style);
    let in_usr = tree.placed(|path| {
        let license = format!("{DOCUMENTS}LICENSE");
        // Debian's name for the license of a package.
        let place =
            if *path == license { format!("{DOCUMENTS}copyright") } else { path.to_owned() };
        Some(format!("usr/{place}"))
    });
    let made = [
        (&packages.archive, archived),
        (&packages.debian, debian::package(&in_usr, VERSION, OLDEST, style)),
        (&packages.wheel, wheel::wheel(&tree, DOCUMENTS, VERSION, OLDEST, style)),
    ];
    for (path, content) in made {
        let content = content.map_err(while_making(&path.display().to_string()))?;
        fs::write(path, content).map_err(while_trying("write", path))?;
    }
    Ok(packages)
}

/// Folders of completion scripts in a prefix, each with its shell, and the names of scripts around
/// that of an executable.
const COMPLETIONS: [(&str, &str, &str, &str); 3] = [
    ("bash", "share/bash-completion/completions/", "", ""),
    ("zsh", "share/zsh/site-functions/", "_", ""),
    ("fish", "share/fish/vendor_completions.d/", "", ".fish"),
];

/// Returns the completion scripts and manual pages of the executables.
fn about_commands(executables: &Path) -> Result<Tree> {
    let pages = tempfile::tempdir().map_err(while_trying("create", Path::new("a folder")))?;
    let mut tree = Tree::default();
    for name in PACKAGES {
        let program = executables.join(name);
        for (shell, folder, before, after) in COMPLETIONS {
            let script =
                Process::new(&program).args(["--completion", shell]).quietly().capture()?;
            tree.add(format!("{folder}{before}{name}{after}"), File::text(script));
        }
        Process::new(&program).arg("--man").arg(pages.path()).quietly().run()?;
    }
    let pages = Tree::read(pages.path())?;
    tree.0.extend(pages.placed(|page| Some(format!("share/man/man1/{page}"))).0);
    Ok(tree)
}

/// Returns the files of a prefix.
fn tree(order: &Order<'_>) -> Result<Tree> {
    let prefix = tempfile::tempdir().map_err(while_trying("create", Path::new("a folder")))?;
    installation::install(order.root, order.executables, prefix.path())?;
    let mut tree = Tree::read(prefix.path())?;
    tree.0.extend(about_commands(order.executables)?.0);
    let mut parts = components::crates(order.root)?;
    parts.extend(system::components(order.toolchain)?);
    let license = components::read_text(&order.root.join("LICENSE"))?;
    for (name, text) in [
        ("LICENSE", license),
        (NOTICES, notices::text(&parts)),
        (BILL, sbom::text(VERSION, &parts)),
    ] {
        tree.add(format!("{DOCUMENTS}{name}"), File::text(text));
    }
    Ok(tree)
}
