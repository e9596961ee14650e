//! The units of ggml-cuda that tests and benches compile, and how.
//!
//! Which these are is in `ggml_units.txt`. Commands run in the folder that `cargo xtask test` names in
//! `WEFT_GGML`, and name its files by relative paths.

use std::ffi::OsString;
use std::path::Path;

use dev_builds::ARCHITECTURE;

/// The units by their paths below the folder; the paths are the module ids.
pub fn units() -> Vec<String> {
    include_str!("ggml_units.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|name| format!("src/ggml-cuda/{name}.cu"))
        .collect()
}

/// clang's arguments that make the host object `object`, with the device bitcode inside, of a unit.
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
        // Its warnings are not ours to mend.
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
