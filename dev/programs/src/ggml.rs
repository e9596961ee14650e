//! The units of ggml-cuda that tests and benches compile, and their options.
//!
//! The list is in `ggml_units.txt`. Commands run in the folder that `cargo xtask test` names in
//! `WEFT_GGML`, and name its files by relative paths.

use std::ffi::OsString;
use std::path::Path;

use dev_builds::ARCHITECTURE;

/// Returns the paths of the units below the folder, which are the module ids.
pub fn units() -> Vec<String> {
    include_str!("ggml_units.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|name| format!("src/ggml-cuda/{name}.cu"))
        .collect()
}

/// Returns clang's arguments that compile a unit to the host object `object` with the device
/// bitcode inside.
pub fn compile_arguments(unit: &str, object: &Path, cuda_root: &Path) -> Vec<OsString> {
    let cuda = cuda_root.display();
    let mut arguments: Vec<OsString> = [
        &format!("--cuda-gpu-arch={ARCHITECTURE}"),
        &format!("--cuda-path={cuda}"),
        &format!("-I{cuda}/include/cccl"),
        &format!("-cuid={unit}"),
        "-fgpu-rdc",
        "-O3",
        "-std=c++17",
        "--offload-new-driver",
        "-foffload-lto",
        "-DGGML_CUDA_FORCE_MMQ",
        "-Iinclude",
        "-Isrc",
        "-Icuda",
        // The warnings are about code that is not ours.
        "-w",
        "-c",
        unit,
        "-o",
    ]
    .map(OsString::from)
    .into();
    arguments.push(object.into());
    arguments
}
