//! The command: builds, packs, and on request does both again to compare.

use std::path::{Path, PathBuf};

use dev_checkout::executables::{PACKAGES, target_folder};
use dev_process::{Error, Process, Result, environment, while_trying};
use dev_toolchain::{Scope, Toolchain};

use crate::build::{executables, folders_of_this_machine};
use crate::pack::{Order, Packages, pack};
use crate::verify::{compare, copy_checkout};

/// Makes the packages of the checkout at `root` in `dist` of its target folder. With `verify`, they
/// are made once more from a copy in another folder, and the bytes must be the same.
pub fn run(root: &Path, verify: bool) -> Result<()> {
    let toolchain = dev_toolchain::ensure(root, Scope::Builds)?;
    let time = time(root)?;
    let output = target_folder(root)?.join("dist");
    let (built, packages) = make(root, &toolchain, &output, time)?;
    for path in packages.all() {
        let size = path.metadata().map_err(while_trying("look at", path))?.len();
        println!("{} ({} kB)", path.display(), size / 1000);
    }
    if verify {
        let folder = tempfile::Builder::new().prefix("weft-dist-").tempdir();
        let folder = folder.map_err(while_trying("create", Path::new("a folder")))?;
        let copy = folder.path().join("another-checkout");
        copy_checkout(root, &copy)?;
        let (built_again, again) = make(&copy, &toolchain, &folder.path().join("dist"), time)?;
        let programs = |folder: &Path| PACKAGES.iter().map(|name| folder.join(name)).collect();
        let (first, second): (Vec<PathBuf>, Vec<PathBuf>) =
            (programs(&built), programs(&built_again));
        compare(first.iter().map(PathBuf::as_path), second.iter().map(PathBuf::as_path))?;
        compare(packages.all(), again.all())?;
        println!("the same bytes were built in {}", copy.display());
    }
    Ok(())
}

/// Builds and packs. Returns the folder of the executables, and the packages.
fn make(
    root: &Path,
    toolchain: &Toolchain,
    output: &Path,
    time: u64,
) -> Result<(PathBuf, Packages)> {
    let built = executables(root, toolchain)?;
    let order = Order {
        root,
        toolchain,
        executables: &built,
        output,
        time,
        small: true,
        unwanted_paths: folders_of_this_machine(root)?,
    };
    let packages = pack(&order)?;
    Ok((built, packages))
}

/// Returns the time that all files get: what `SOURCE_DATE_EPOCH` states, else the time of the last
/// commit.
fn time(root: &Path) -> Result<u64> {
    let stated = environment::variable("SOURCE_DATE_EPOCH");
    let (source, text) = if let Some(value) = stated {
        ("SOURCE_DATE_EPOCH", value.to_string_lossy().into_owned())
    } else {
        let log = Process::new("git").args(["log", "-1", "--format=%ct"]).directory(root);
        ("the time of git's last commit", log.quietly().capture()?)
    };
    let text = text.trim();
    text.parse()
        .map_err(|_| Error::new(format!("{source} is {text:?}, which is no number of seconds")))
}
