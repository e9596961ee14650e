//! Programs that benches build in several ways to compare them: the example, a generated one, code of others
//! and code that is written for the benches.

mod found;
mod written;

use std::fs;
use std::path::{Path, PathBuf};

use crate::deep::{self, Size};
use dev_builds::{Program, Settings, Tools, Variant};
use dev_process::{Error, Result, remove, while_trying};

/// The generated program: NVIDIA's link of it takes some hundred seconds of processor time.
const DEEP: Size = Size { units: 33, levels: 7, calls: 3, statements: 3 };
/// With a level less: half a minute.
const QUICK: Size = Size { units: 33, levels: 6, calls: 3, statements: 3 };

/// Names of the programs, in the order in which they are built.
pub const NAMES: [&str; 7] =
    ["transport", "generated", "ggml", "lightgbm", "cub", "nvshmem", "functors"];
/// Names of the programs of the bench of closing, whose backend jobs the bench of kernels times by phase.
pub const FIRST: [&str; 4] = [NAMES[0], NAMES[1], NAMES[2], NAMES[3]];

/// Choice of the programs to build.
pub struct Selection<'options> {
    /// Names of all programs that a bench has.
    pub names: &'options [&'static str],
    /// Names of programs; none means all.
    pub only: &'options [String],
    /// The generated program has a level of calls less.
    pub quick: bool,
    /// Seed of the generated program.
    pub seed: u64,
}

/// One program.
pub struct Source {
    /// Name of the program in folders and metrics.
    pub name: &'static str,
    /// Description for a person.
    pub what: String,
    /// Whether it is a whole program that can run.
    pub runs: bool,
    /// What Weft's build is compared with.
    pub reference: Variant,
    kind: Kind,
    settings: Settings,
}

enum Kind {
    Folder(PathBuf),
    Generated(Size, u64),
    /// CUDA units.
    Units(Vec<PathBuf>),
    /// The texts of files, and a library of device bitcode.
    Written(&'static [(&'static str, &'static str)], Option<PathBuf>),
}

/// The programs that are selected.
pub fn all(root: &Path, selection: &Selection<'_>) -> Result<Vec<Source>> {
    let Selection { names, only, quick, seed } = *selection;
    if let Some(unknown) = only.iter().find(|name| !names.contains(&name.as_str())) {
        let message = format!("there is no program {unknown:?}, only {}", names.join(", "));
        return Err(Error::usage(message));
    }
    names
        .iter()
        .filter(|name| only.is_empty() || only.iter().any(|it| it == *name))
        .map(|name| match *name {
            "transport" => Ok(transport(root)),
            "generated" => Ok(generated(quick, seed)),
            "ggml" => found::ggml(root),
            "lightgbm" => found::lightgbm(root),
            "cub" => Ok(written::cub()),
            "nvshmem" => written::nvshmem(root),
            _ => Ok(written::functors()),
        })
        .collect()
}

fn transport(root: &Path) -> Source {
    Source {
        name: "transport",
        what: "the example, 31 CUDA units".to_owned(),
        runs: true,
        reference: Variant::Dlto,
        kind: Kind::Folder(root.join("examples/transport")),
        settings: Settings::default(),
    }
}

/// The generated program; a quick one has a level of calls less.
pub fn generated(quick: bool, seed: u64) -> Source {
    let size = size_of_generated(quick);
    Source {
        name: "generated",
        what: format!("{} units, {} levels of calls", size.units, size.levels),
        runs: true,
        reference: Variant::Dlto,
        kind: Kind::Generated(size, seed),
        settings: Settings::default(),
    }
}

/// The size of the generated program.
pub fn size_of_generated(quick: bool) -> Size {
    if quick { QUICK } else { DEEP }
}

/// Three kernels on NVSHMEM's device library.
pub fn three_kernels(root: &Path) -> Result<Source> {
    written::three_kernels(root)
}

impl Source {
    /// Writes the program's sources into a folder.
    pub fn write(&self, folder: &Path) -> Result<()> {
        match &self.kind {
            Kind::Folder(source) => dev_builds::copy_sources(source, folder),
            Kind::Generated(size, seed) => deep::write(folder, size, *seed),
            Kind::Units(units) => {
                let source = folder.join("src");
                fs::create_dir_all(&source).map_err(while_trying("create", &source))?;
                units.iter().try_for_each(|unit| copy(unit, &source))
            }
            Kind::Written(texts, library) => {
                let source = folder.join("src");
                for folder in [&source, &folder.join("include")] {
                    fs::create_dir_all(folder).map_err(while_trying("create", folder))?;
                }
                for (name, text) in *texts {
                    let path = folder.join(name);
                    fs::write(&path, text).map_err(while_trying("write", &path))?;
                }
                library.iter().try_for_each(|library| copy(library, &source))
            }
        }
    }

    /// The options that its units need.
    pub fn settings(&self) -> Settings {
        self.settings.clone()
    }

    /// The ways to build it.
    pub fn variants(&self) -> &'static [Variant] {
        match self.reference {
            Variant::Whole => &[Variant::Weft, Variant::Whole],
            _ => &Variant::ALL,
        }
    }

    /// The program of a variant in a folder of its own below `folder`, fresh when its sources are not those
    /// there.
    pub fn open<'tools>(
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

/// Copies a file into a folder.
fn copy(file: &Path, folder: &Path) -> Result<()> {
    let place = folder.join(file.file_name().unwrap_or_default());
    fs::copy(file, &place).map(drop).map_err(while_trying("copy", file))
}
