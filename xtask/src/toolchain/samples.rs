//! Installs the real CUDA code that tests and benches compile, from the package registry: each body of
//! code in a folder of its own.
//!
//! It is no part of `setup`: who builds Weft need not wait for it. Only sources and headers are kept.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Result, while_trying};
use crate::process::{Process, remove};
use crate::stopwatch::Stopwatch;
use crate::toolchain::lock::{Lock, Part};
use crate::toolchain::state::State;

/// The variable that names ggml-cuda's folder for the tests.
pub(crate) const GGML_VARIABLE: &str = "WEFT_GGML";
/// The folder of ggml-cuda, with `include`, `src` and `cuda` (headers).
pub(crate) const GGML: &str = "ggml";
/// The folder of LightGBM, with `include`, `src` and `external_libs`.
pub(crate) const LIGHTGBM: &str = "lightgbm";

/// Takes folders out of an archive.
const UNPACK: &str = include_str!("unpack.py");
/// Stands for the build system of a source archive that is only downloaded.
const NO_BUILD: &str = include_str!("no_build.py");
/// The build system that the source archive names, and the module of it that pip asks.
const BUILD_SYSTEM: &str = "scikit_build_core";

/// The folder `name` of the samples, installed now if it is not there or not what the lock asks for.
pub(crate) fn ensure(root: &Path, name: &str) -> Result<PathBuf> {
    let lock = Lock::read(root)?;
    let samples: Vec<&Part> = lock.samples.iter().filter(|part| part.folder == name).collect();
    let stamp: String = samples.iter().map(|part| stamp_of(part)).collect();
    let folder = State::folder(root).join(name);
    if is_current(&folder, &stamp) {
        return Ok(folder);
    }
    let state = State::lock(root)?;
    if is_current(&folder, &stamp) {
        return Ok(folder); // The run that we waited for has done it.
    }
    let stopwatch = Stopwatch::start();
    let megabytes = samples.iter().map(|part| part.size).sum::<u64>() / 1_000_000;
    println!("downloading the CUDA code of {name}: {megabytes} MB");
    let scratch = state.scratch(name)?;
    let tree = scratch.path().join("tree");
    for part in samples {
        let archive = download(scratch.path(), part)?;
        unpack(scratch.path(), part, &archive, &tree)?;
        remove(&archive)?;
    }
    write(&tree.join("stamp"), &stamp)?;
    remove(&folder)?;
    fs::rename(&tree, &folder).map_err(while_trying("move into place", &tree))?;
    println!("it is in {} ({stopwatch})", folder.display());
    Ok(folder)
}

fn stamp_of(part: &Part) -> String {
    let folders = part.keeps.iter().map(|(from, to)| format!("  {from} {to}\n"));
    [part.requirement()].into_iter().chain(folders).collect()
}

fn is_current(folder: &Path, stamp: &str) -> bool {
    fs::read_to_string(folder.join("stamp")).is_ok_and(|present| present == stamp)
}

/// Has pip download and verify one archive.
fn download(scratch: &Path, part: &Part) -> Result<PathBuf> {
    let requirements = scratch.join("requirements.txt");
    write(&requirements, &part.requirement())?;
    let backend = scratch.join("python").join(BUILD_SYSTEM);
    let metadata = NO_BUILD.replace("NAME", &part.name).replace("VERSION", &part.version);
    write(&backend.join("__init__.py"), "")?;
    write(&backend.join("build.py"), &metadata)?;
    let kind: &[&str] = if Path::new(&part.file).extension().is_some_and(|it| it == "whl") {
        &["--only-binary=:all:"]
    } else {
        &["--no-binary=:all:", "--no-build-isolation"]
    };
    let platform = (!part.platform.is_empty()).then(|| format!("--platform={}", part.platform));
    let archive = scratch.join(&part.file);
    Process::new("python3")
        .args(["-m", "pip", "download", "--quiet", "--no-input", "--no-cache-dir", "--no-deps"])
        .args(["--disable-pip-version-check", "--require-hashes"])
        .args(kind.iter().copied())
        .args(platform)
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

fn unpack(scratch: &Path, part: &Part, archive: &Path, tree: &Path) -> Result<()> {
    let script = scratch.join("unpack.py");
    write(&script, UNPACK)?;
    let folders = part.keeps.iter().flat_map(|(from, to)| [from.as_str(), to.as_str()]);
    Process::new("python3").arg(&script).arg(archive).arg(tree).args(folders).quietly().run()?;
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(while_trying("create", folder))?;
    }
    fs::write(path, text).map_err(while_trying("write", path))
}
