//! Programs that others wrote, from package registries.

use std::fs;
use std::path::Path;

use crate::source::{Kind, Source};
use dev_builds::{Settings, Variant};
use dev_process::{Result, while_trying};
use dev_toolchain::samples;

/// Units of ggml-cuda with the most calls among those that compile quickly.
const GGML_UNITS: [&str; 8] =
    ["allreduce", "cumsum", "gla", "norm", "rope", "softmax", "ssm-conv", "topk-moe"];

/// Returns the program of the units of ggml-cuda.
pub(super) fn ggml(root: &Path) -> Result<Source> {
    let folder = samples::ensure(root, samples::GGML)?;
    let source = folder.join("src/ggml-cuda");
    let units = GGML_UNITS.iter().map(|name| source.join(format!("{name}.cu"))).collect();
    let mut options = vec!["-DGGML_CUDA_FORCE_MMQ".to_owned(), "-w".to_owned()];
    options.extend(["src/ggml-cuda", "include", "src", "cuda"].map(|part| include(&folder, part)));
    Ok(Source {
        name: "ggml",
        what: format!("{} units of ggml-cuda", GGML_UNITS.len()),
        runs: false,
        reference: Variant::Dlto,
        kind: Kind::Units(units),
        settings: Settings { compile_options: options, ..Settings::default() },
    })
}

/// Returns the program of all CUDA units of `LightGBM`.
pub(super) fn lightgbm(root: &Path) -> Result<Source> {
    let folder = samples::ensure(root, samples::LIGHTGBM)?;
    let parts = ["boosting", "io", "metric", "objective", "treelearner"];
    let mut folders: Vec<String> = parts.iter().map(|part| format!("src/{part}/cuda")).collect();
    folders.push("src/cuda".to_owned());
    let mut units = Vec::new();
    for part in &folders {
        let path = folder.join(part);
        for entry in fs::read_dir(&path).map_err(while_trying("read", &path))?.flatten() {
            let is_unit = entry.path().extension().is_some_and(|extension| extension == "cu");
            units.extend(is_unit.then(|| entry.path()));
        }
    }
    units.sort();
    let external = ["eigen", "fast_double_parser/include", "fmt/include"];
    folders.extend(external.map(|part| format!("external_libs/{part}")));
    folders.push("include".to_owned());
    let mut options = ["-DUSE_CUDA", "-DEIGEN_MPL2_ONLY", "-w"].map(str::to_owned).to_vec();
    options.extend(folders.iter().map(|part| include(&folder, part)));
    Ok(Source {
        name: "lightgbm",
        what: format!("all {} CUDA units of LightGBM", units.len()),
        runs: false,
        reference: Variant::Dlto,
        kind: Kind::Units(units),
        settings: Settings { compile_options: options, ..Settings::default() },
    })
}

fn include(folder: &Path, part: &str) -> String {
    format!("-I{}", folder.join(part).display())
}
