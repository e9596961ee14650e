//! Installs the real CUDA code that tests and benches compile: ggml-cuda, from the package registry.
//!
//! It is no part of `setup`: who builds Weft need not wait for it. Only sources and headers are kept.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Result, while_trying};
use crate::process::remove;
use crate::stopwatch::Stopwatch;
use crate::toolchain::archive;
use crate::toolchain::lock::Lock;
use crate::toolchain::state::State;

/// The variable that names the folder for the tests.
pub(crate) const VARIABLE: &str = "WEFT_GGML";

/// The folder with `include`, `src` and `cuda` (headers), installed now if it is not there or not
/// what the lock asks for.
pub(crate) fn ensure(root: &Path) -> Result<PathBuf> {
    let lock = Lock::read(root)?;
    let stamp: String = lock.samples.iter().map(archive::stamp).collect();
    let folder = State::folder(root).join("ggml");
    if archive::is_current(&folder, &stamp) {
        return Ok(folder);
    }
    let state = State::lock(root)?;
    if archive::is_current(&folder, &stamp) {
        return Ok(folder); // The run that we waited for has done it.
    }
    let stopwatch = Stopwatch::start();
    let megabytes = lock.samples.iter().map(|part| part.size).sum::<u64>() / 1_000_000;
    println!("downloading the CUDA code that tests compile: {megabytes} MB");
    let scratch = state.scratch("ggml")?;
    let tree = scratch.path().join("tree");
    for part in &lock.samples {
        archive::unpack(scratch.path(), part, &tree)?;
    }
    let stamp_file = tree.join("stamp");
    fs::write(&stamp_file, &stamp).map_err(while_trying("write", &stamp_file))?;
    remove(&folder)?;
    fs::rename(&tree, &folder).map_err(while_trying("move into place", &tree))?;
    println!("it is in {} ({stopwatch})", folder.display());
    Ok(folder)
}
