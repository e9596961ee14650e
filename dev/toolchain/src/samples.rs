//! Installs the real CUDA code that tests and benches compile, and further compilers for it, from
//! the package registry, each project in a separate folder.
//!
//! It is not a part of `setup`, as building Weft should not wait for it. Only what the tests use is
//! kept: sources, headers, device bitcode, and the compilers' programs.

use std::fs;
use std::path::{Path, PathBuf};

use crate::archive;
use crate::lock::{Lock, Part};
use crate::state::State;
use dev_process::{Result, Stopwatch, remove, while_trying};

/// Variable that names ggml-cuda's folder for the tests.
pub const GGML_VARIABLE: &str = "WEFT_GGML";
/// Folder of ggml-cuda, with `include`, `src` and `cuda` (headers).
pub const GGML: &str = "ggml";
/// Folder of `LightGBM`, with `include`, `src` and `external_libs`.
pub const LIGHTGBM: &str = "lightgbm";
/// Folder of NVSHMEM, with [`NVSHMEM_LIBRARY`].
pub const NVSHMEM: &str = "nvshmem";
/// Variable that names the folder of CUDA 12 for the tests.
pub const CUDA_12_VARIABLE: &str = "WEFT_CUDA_12";
/// Folder of CUDA 12, with `include`, `nvvm/libdevice` and `bin/ptxas`.
pub const CUDA_12: &str = "cuda-12";
/// Variable that names the folder of further versions of clang for the tests.
pub const CLANGS_VARIABLE: &str = "WEFT_CLANGS";
/// Folder of further versions of clang: a folder for each, with the program `zig` and `include`.
pub const CLANGS: &str = "clangs";
/// NVSHMEM's device library, in its folder.
pub const NVSHMEM_LIBRARY: &str = "lib/libnvshmem_device_sm_90.bc";

/// Returns the folder `name` of the samples. It is installed now if it is missing or not as the
/// lock asks.
pub fn ensure(root: &Path, name: &str) -> Result<PathBuf> {
    let lock = Lock::read(root)?;
    let samples: Vec<&Part> = lock.samples.iter().filter(|part| part.folder == name).collect();
    let stamp: String = samples.iter().map(|part| archive::stamp(part)).collect();
    let folder = State::folder(root).join(name);
    if archive::is_current(&folder, &stamp) {
        return Ok(folder);
    }
    let state = State::lock(root)?;
    if archive::is_current(&folder, &stamp) {
        return Ok(folder); // The run that we waited for has done it.
    }
    let stopwatch = Stopwatch::start();
    let megabytes = samples.iter().map(|part| part.size).sum::<u64>() / 1_000_000;
    println!("downloading {name}: {megabytes} MB");
    let scratch = state.scratch(name)?;
    let tree = scratch.path().join("tree");
    for part in samples {
        archive::unpack(scratch.path(), part, &tree)?;
    }
    let stamp_file = tree.join("stamp");
    fs::write(&stamp_file, &stamp).map_err(while_trying("write", &stamp_file))?;
    remove(&folder)?;
    fs::rename(&tree, &folder).map_err(while_trying("move into place", &tree))?;
    println!("it is in {} ({stopwatch})", folder.display());
    Ok(folder)
}
