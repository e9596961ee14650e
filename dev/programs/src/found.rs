//! Programs that others wrote, from package registries.

use std::fs;
use std::path::{Path, PathBuf};

use crate::source::{Kind, Source};
use dev_builds::{Settings, Variant};
use dev_process::{Error, Result, while_trying};
use dev_toolchain::samples;

/// Units of ggml-cuda with the most calls among those that compile quickly.
const GGML_UNITS: [&str; 8] =
    ["allreduce", "cumsum", "gla", "norm", "rope", "softmax", "ssm-conv", "topk-moe"];

/// Folders of ggml-cuda's units, in the folder of ggml. Instances of templates include headers of
/// the folder above theirs.
const GGML_FOLDERS: [&str; 2] = ["src/ggml-cuda", "src/ggml-cuda/template-instances"];

/// Header that some of the units need with clang, and that holds nothing for other compilers.
const DOT_PRODUCTS: &str = "dev/programs/src/dot_products.cuh";

/// Returns the program of the units of ggml-cuda.
pub(super) fn ggml(root: &Path) -> Result<Source> {
    let folder = samples::ensure(root, samples::GGML)?;
    let source = folder.join(GGML_FOLDERS[0]);
    let units = GGML_UNITS.iter().map(|name| source.join(format!("{name}.cu"))).collect();
    Ok(of_ggml("ggml", &folder, units))
}

/// Returns the program of all units of ggml-cuda, with the instances of its templates, or of
/// `number` of them: `always` and others that are spread over the sorted list.
pub fn all_of_ggml(root: &Path, number: Option<usize>, always: &str) -> Result<Source> {
    let folder = samples::ensure(root, samples::GGML)?;
    let mut units = Vec::new();
    for part in GGML_FOLDERS {
        units.extend(units_in(&folder.join(part))?);
    }
    units.sort();
    let is_always = |unit: &PathBuf| unit.file_name().is_some_and(|name| name == always);
    let Some(first) = units.iter().position(is_always) else {
        return Err(Error::new(format!("{}: there is no {always}", folder.display())));
    };
    units.rotate_left(first);
    let chosen = spread(units.len(), number.unwrap_or(units.len()));
    let chosen: Vec<PathBuf> = chosen.into_iter().map(|position| units[position].clone()).collect();
    let macros = macros_of_vector_kernels(&units, &chosen);
    let mut source = of_ggml("ggml-all", &folder, chosen);
    let options = ["-include".to_owned(), root.join(DOT_PRODUCTS).display().to_string()];
    source.settings.compile_options.extend(options.into_iter().chain(macros));
    Ok(source)
}

/// Returns the macros that tell `fattn.cu` which instances of its vector kernels are compiled, as
/// ggml's own build makes them from the names of units: `fattn-vec-instance-q4_0-f16.cu` becomes
/// `GGML_CUDA_FA_Q4_0_F16`.
fn macros_of_vector_kernels(units: &[PathBuf], chosen: &[PathBuf]) -> Vec<String> {
    let macro_of = |unit: &PathBuf| {
        let name = unit.file_stem()?.to_str()?.strip_prefix("fattn-vec-instance-")?;
        let name = name.replace('-', "_").to_uppercase();
        Some(format!("-DGGML_CUDA_FA_{name}={}", u8::from(chosen.contains(unit))))
    };
    units.iter().filter_map(macro_of).collect()
}

/// Returns `number` positions of a list, at most its length, from the first one in even steps.
fn spread(length: usize, number: usize) -> Vec<usize> {
    let number = number.min(length);
    (0..number).map(|chosen| chosen * length / number).collect()
}

fn of_ggml(name: &'static str, folder: &Path, units: Vec<PathBuf>) -> Source {
    let mut options = vec!["-DGGML_CUDA_FORCE_MMQ".to_owned(), "-w".to_owned()];
    let folders = GGML_FOLDERS.iter().chain(&["include", "src", "cuda"]);
    options.extend(folders.map(|part| include(folder, part)));
    Source {
        name,
        what: format!("{} units of ggml-cuda", units.len()),
        runs: false,
        reference: Variant::Dlto,
        kind: Kind::Units(units),
        settings: Settings {
            compile_options: options,
            // As ggml's own build has it.
            nvcc_options: vec!["--extended-lambda".to_owned()],
            ..Settings::default()
        },
    }
}

/// Lists the CUDA sources in a folder.
fn units_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(while_trying("read", folder))?;
    let paths = entries.flatten().map(|entry| entry.path());
    Ok(paths.filter(|path| path.extension().is_some_and(|found| found == "cu")).collect())
}

/// Returns the program of all CUDA units of `LightGBM`.
pub(super) fn lightgbm(root: &Path) -> Result<Source> {
    let folder = samples::ensure(root, samples::LIGHTGBM)?;
    let parts = ["boosting", "io", "metric", "objective", "treelearner"];
    let mut folders: Vec<String> = parts.iter().map(|part| format!("src/{part}/cuda")).collect();
    folders.push("src/cuda".to_owned());
    let mut units = Vec::new();
    for part in &folders {
        units.extend(units_in(&folder.join(part))?);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_that_are_compiled_have_a_macro_that_says_so() {
        let units = ["fattn-vec-instance-q4_0-f16.cu", "fattn-vec-instance-f16-f16.cu", "norm.cu"]
            .map(PathBuf::from);
        let macros = macros_of_vector_kernels(&units, &units[1..]);
        assert_eq!(macros, ["-DGGML_CUDA_FA_Q4_0_F16=0", "-DGGML_CUDA_FA_F16_F16=1"]);
    }

    #[test]
    fn a_part_is_spread_over_the_whole() {
        assert_eq!(spread(10, 3), [0, 3, 6]);
        assert_eq!(spread(3, 7), [0, 1, 2]);
        assert!(spread(190, 190).into_iter().eq(0..190));
    }
}
