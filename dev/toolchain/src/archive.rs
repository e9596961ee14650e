//! Takes folders out of archives that pip or npm downloads. pip verifies their digests itself.

use std::fs;
use std::path::{Path, PathBuf};

use crate::lock::Part;
use crate::state::State;
use dev_process::{Error, Process, Result, Stopwatch, remove, while_trying};

/// Script that takes folders out of an archive.
const UNPACK: &str = include_str!("unpack.py");
/// Build system that replaces that of source archives, as they are only downloaded.
const NO_BUILD: &str = include_str!("no_build.py");
/// Build system that the source archive names, and the module of it that pip asks.
const BUILD_SYSTEM: &str = "scikit_build_core";

/// Returns the mark of a folder that was made of `part`: its digest and the parts that were kept.
pub(crate) fn stamp(part: &Part) -> String {
    let folders = part.keeps.iter().map(|(from, to)| format!("  {from} {to}\n"));
    [part.requirement()].into_iter().chain(folders).collect()
}

/// Returns whether `folder` is marked with `stamp`.
pub(crate) fn is_current(folder: &Path, stamp: &str) -> bool {
    fs::read_to_string(folder.join("stamp")).is_ok_and(|present| present == stamp)
}

/// Installs the folders that `part` keeps, each below `.toolchain`, if they are missing or not as
/// the lock asks. `what` says what is downloaded.
pub(crate) fn ensure(root: &Path, part: &Part, what: &str) -> Result<()> {
    let stamp = stamp(part);
    let is_current = || {
        let mut folders = part.keeps.iter().map(|(_, to)| State::folder(root).join(to));
        folders.all(|folder| is_current(&folder, &stamp))
    };
    if is_current() {
        return Ok(());
    }
    let state = State::lock(root)?;
    if is_current() {
        return Ok(()); // The run that we waited for has done it.
    }
    let stopwatch = Stopwatch::start();
    println!("downloading {what}: {} kB", part.size / 1_000);
    let scratch = state.scratch("part")?;
    let tree = scratch.path().join("tree");
    unpack(scratch.path(), part, &tree)?;
    for (_, name) in &part.keeps {
        let (made, folder) = (tree.join(name), state.path(name));
        let stamp_file = made.join("stamp");
        fs::write(&stamp_file, &stamp).map_err(while_trying("write", &stamp_file))?;
        remove(&folder)?;
        fs::rename(&made, &folder).map_err(while_trying("move into place", &made))?;
        println!("it is in {} ({stopwatch})", folder.display());
    }
    Ok(())
}

/// Downloads `part` into the folder `scratch` and unpacks the kept folders of it below `tree`.
pub(crate) fn unpack(scratch: &Path, part: &Part, tree: &Path) -> Result<()> {
    let archive =
        if part.is_of_npm { download_from_npm(scratch, part)? } else { download(scratch, part)? };
    let script = scratch.join("unpack.py");
    write(&script, UNPACK)?;
    let folders = part.keeps.iter().flat_map(|(from, to)| [from.as_str(), to.as_str()]);
    Process::new("python3").arg(&script).arg(&archive).arg(tree).args(folders).quietly().run()?;
    remove(&archive)
}

/// Has pip download and verify one archive.
fn download(scratch: &Path, part: &Part) -> Result<PathBuf> {
    let requirements = scratch.join("requirements.txt");
    write(&requirements, &part.requirement())?;
    let backend = scratch.join("python").join(BUILD_SYSTEM);
    let metadata = NO_BUILD.replace("NAME", &part.name).replace("VERSION", &part.version);
    write(&backend.join("__init__.py"), "")?;
    write(&backend.join("build.py"), &metadata)?;
    let kind: &[&str] =
        if Path::new(&part.file).extension().is_some_and(|extension| extension == "whl") {
            &["--only-binary=:all:"]
        } else {
            &["--no-binary=:all:", "--no-build-isolation"]
        };
    let python = (!part.python.is_empty()).then(|| {
        let version = part.python.trim_start_matches(char::is_alphabetic);
        [format!("--python-version={version}"), format!("--abi={}", part.python)]
    });
    let platform = (!part.platform.is_empty()).then(|| format!("--platform={}", part.platform));
    let archive = scratch.join(&part.file);
    Process::new("python3")
        .args(["-m", "pip", "download", "--quiet", "--no-input", "--no-cache-dir", "--no-deps"])
        .args(["--disable-pip-version-check", "--require-hashes"])
        .args(kind.iter().copied())
        .args(platform)
        .args(python.into_iter().flatten())
        .arg("--dest")
        .arg(scratch)
        .arg("--requirement")
        .arg(&requirements)
        .variable("PYTHONPATH", scratch.join("python"))
        .variable("PIP_REQUIRE_VIRTUALENV", "0")
        .output(&archive)
        .run()?;
    Ok(archive)
}

/// Has npm download one package, of which no script runs, and verifies it.
fn download_from_npm(scratch: &Path, part: &Part) -> Result<PathBuf> {
    let archive = scratch.join(&part.file);
    Process::new("npm")
        .args(["pack", "--silent", "--ignore-scripts", "--no-update-notifier"])
        .arg(format!("--cache={}", scratch.join("npm").display()))
        .arg("--pack-destination")
        .arg(scratch)
        .arg(format!("{}@{}", part.name, part.version))
        .output(&archive)
        .run()?;
    let digest = Process::new("sha256sum").arg(&archive).quietly().capture()?;
    let size = fs::metadata(&archive).map_err(while_trying("read", &archive))?.len();
    if digest.starts_with(&part.sha256) && size == part.size {
        return Ok(archive);
    }
    Err(Error::new(format!(
        "{} has {size} bytes and the digest {digest}, and the lock asks for {} and {}",
        part.file, part.size, part.sha256
    )))
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(while_trying("create", folder))?;
    }
    fs::write(path, text).map_err(while_trying("write", path))
}
