//! The programs that the benches of kernels and of closing build, and where they come from.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result, while_trying};
use crate::generator::{self, Size};
use crate::process::remove;
use crate::program::{self, Program, Settings, Tools, Variant};
use crate::toolchain::samples;

/// The generated program: NVIDIA's link of it takes some hundred seconds of processor time.
const DEEP: Size = Size { units: 33, levels: 7, calls: 3, statements: 3 };
/// With a level less: half a minute.
const QUICK: Size = Size { units: 33, levels: 6, calls: 3, statements: 3 };

/// The units of ggml-cuda: those with the most calls among the quick ones.
const GGML_UNITS: [&str; 8] =
    ["allreduce", "cumsum", "gla", "norm", "rope", "softmax", "ssm-conv", "topk-moe"];

/// Names of the programs, in the order in which they are built.
pub(super) const NAMES: [&str; 4] = ["transport", "generated", "ggml", "lightgbm"];

/// Which programs are built.
pub(super) struct Selection<'options> {
    /// Names of programs; none means all.
    pub(super) only: &'options [String],
    /// The generated program has a level of calls less.
    pub(super) quick: bool,
    /// Seed of the generated program.
    pub(super) seed: u64,
}

/// One program.
pub(super) struct Source {
    pub(super) name: &'static str,
    /// For a person.
    pub(super) what: String,
    /// Whether it is a whole program that can run.
    pub(super) runs: bool,
    kind: Kind,
}

enum Kind {
    Folder(PathBuf),
    Generated(Size, u64),
    /// CUDA units, and options to compile them.
    Units(Vec<PathBuf>, Vec<String>),
}

/// The programs that are selected.
pub(super) fn all(root: &Path, selection: &Selection<'_>) -> Result<Vec<Source>> {
    let Selection { only, quick, seed } = *selection;
    if let Some(unknown) = only.iter().find(|name| !NAMES.contains(&name.as_str())) {
        let message = format!("there is no program {unknown:?}, only {}", NAMES.join(", "));
        return Err(Error::usage(message));
    }
    NAMES
        .into_iter()
        .filter(|name| only.is_empty() || only.iter().any(|it| it == name))
        .map(|name| match name {
            "transport" => Ok(transport(root)),
            "generated" => Ok(generated(quick, seed)),
            "ggml" => ggml(root),
            _ => lightgbm(root),
        })
        .collect()
}

fn transport(root: &Path) -> Source {
    Source {
        name: "transport",
        what: "the example, 31 CUDA units".to_owned(),
        runs: true,
        kind: Kind::Folder(root.join("examples/transport")),
    }
}

/// The generated program; a quick one has a level of calls less.
pub(super) fn generated(quick: bool, seed: u64) -> Source {
    let size = size_of_generated(quick);
    Source {
        name: "generated",
        what: format!("{} units, {} levels of calls", size.units, size.levels),
        runs: true,
        kind: Kind::Generated(size, seed),
    }
}

/// The size of the generated program.
pub(super) fn size_of_generated(quick: bool) -> Size {
    if quick { QUICK } else { DEEP }
}

fn ggml(root: &Path) -> Result<Source> {
    let folder = samples::ensure(root, samples::GGML)?;
    let source = folder.join("src/ggml-cuda");
    let units = GGML_UNITS.iter().map(|name| source.join(format!("{name}.cu"))).collect();
    let mut options = vec!["-DGGML_CUDA_FORCE_MMQ".to_owned(), "-w".to_owned()];
    options.extend(["src/ggml-cuda", "include", "src", "cuda"].map(|it| include(&folder, it)));
    Ok(Source {
        name: "ggml",
        what: format!("{} units of ggml-cuda", GGML_UNITS.len()),
        runs: false,
        kind: Kind::Units(units, options),
    })
}

fn lightgbm(root: &Path) -> Result<Source> {
    let folder = samples::ensure(root, samples::LIGHTGBM)?;
    let parts = ["boosting", "io", "metric", "objective", "treelearner"];
    let mut folders: Vec<String> = parts.iter().map(|part| format!("src/{part}/cuda")).collect();
    folders.push("src/cuda".to_owned());
    let mut units = Vec::new();
    for part in &folders {
        let path = folder.join(part);
        for entry in fs::read_dir(&path).map_err(while_trying("read", &path))?.flatten() {
            let is_unit = entry.path().extension().is_some_and(|it| it == "cu");
            units.extend(is_unit.then(|| entry.path()));
        }
    }
    units.sort();
    let external = ["eigen", "fast_double_parser/include", "fmt/include"];
    folders.extend(external.map(|it| format!("external_libs/{it}")));
    folders.push("include".to_owned());
    let mut options = ["-DUSE_CUDA", "-DEIGEN_MPL2_ONLY", "-w"].map(str::to_owned).to_vec();
    options.extend(folders.iter().map(|it| include(&folder, it)));
    Ok(Source {
        name: "lightgbm",
        what: format!("all {} CUDA units of LightGBM", units.len()),
        runs: false,
        kind: Kind::Units(units, options),
    })
}

fn include(folder: &Path, part: &str) -> String {
    format!("-I{}", folder.join(part).display())
}

impl Source {
    /// Writes the program's sources into a folder.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        match &self.kind {
            Kind::Folder(source) => program::copy_sources(source, folder),
            Kind::Generated(size, seed) => generator::write(folder, size, *seed),
            Kind::Units(units, _) => {
                let source = folder.join("src");
                fs::create_dir_all(&source).map_err(while_trying("create", &source))?;
                for unit in units {
                    let name = unit.file_name().unwrap_or_default();
                    fs::copy(unit, source.join(name)).map_err(while_trying("copy", unit))?;
                }
                Ok(())
            }
        }
    }

    /// The options that its units need.
    pub(super) fn settings(&self) -> Settings {
        let compile_options = match &self.kind {
            Kind::Units(_, options) => options.clone(),
            Kind::Folder(_) | Kind::Generated(..) => Vec::new(),
        };
        Settings { compile_options, ..Settings::default() }
    }

    /// The program of a variant in a folder of its own below `folder`, fresh when its sources are not those
    /// there.
    pub(super) fn open<'tools>(
        &self,
        folder: &Path,
        variant: Variant,
        tools: &'tools Tools,
    ) -> Result<Program<'tools>> {
        let place = folder.join(self.name).join(variant.name());
        let fresh = folder.join(self.name).join("source");
        self.write(&fresh)?;
        let program = Program::copy_if_different(&fresh, &place, tools);
        remove(&fresh)?;
        program
    }
}
