//! The programs that benches compare, by their names.

use std::path::Path;

use crate::deep::Size;
use crate::source::{Kind, Source};
use crate::{found, written};
use dev_builds::{Settings, Variant};
use dev_process::{Error, Result};

/// Size of the generated program, of which NVIDIA's link takes some hundred seconds of processor
/// time.
const DEEP: Size = Size { units: 33, levels: 7, calls: 3, statements: 3 };
/// Size with one level of calls less, which takes half a minute.
const QUICK: Size = Size { units: 33, levels: 6, calls: 3, statements: 3 };

/// Names of the programs, in the order in which they are built.
pub const NAMES: [&str; 7] =
    ["transport", "generated", "ggml", "lightgbm", "cub", "nvshmem", "functors"];
/// Names of the programs of the bench of closing; the bench of kernels times their backend jobs by
/// phase.
pub const FIRST: [&str; 4] = [NAMES[0], NAMES[1], NAMES[2], NAMES[3]];

/// Choice of the programs to build.
pub struct Selection<'options> {
    /// Names of all programs that a bench has.
    pub names: &'options [&'static str],
    /// Names of the programs to build; an empty list means all.
    pub only: &'options [String],
    /// Whether the generated program has one level of calls less.
    pub quick: bool,
    /// Seed of the generated program.
    pub seed: u64,
}

/// Returns the selected programs.
pub fn all(root: &Path, selection: &Selection<'_>) -> Result<Vec<Source>> {
    let Selection { names, only, quick, seed } = *selection;
    if let Some(unknown) = only.iter().find(|name| !names.contains(&name.as_str())) {
        let message = format!("there is no program {unknown:?}, only {}", names.join(", "));
        return Err(Error::usage(message));
    }
    names
        .iter()
        .filter(|name| only.is_empty() || only.iter().any(|chosen| chosen == *name))
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

/// Returns the generated program; a quick one has one level of calls less.
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

/// Returns generated programs of 8, 16, 24 and 32 units, each with its size.
pub fn generated_sizes(seed: u64) -> [(Source, Size); 4] {
    [("generated8", 8, 5), ("generated16", 16, 6), ("generated24", 24, 6), ("generated32", 32, 6)]
        .map(|(name, units, levels)| {
            let size = Size { units, levels, calls: 3, statements: 3 };
            let source = Source {
                name,
                what: format!("{units} units, {levels} levels of calls"),
                kind: Kind::Generated(size, seed),
                ..generated(true, seed)
            };
            (source, size)
        })
}

/// Returns the size of the generated program.
pub fn size_of_generated(quick: bool) -> Size {
    if quick { QUICK } else { DEEP }
}

/// Returns the program of three kernels on NVSHMEM's device library.
pub fn three_kernels(root: &Path) -> Result<Source> {
    written::three_kernels(root)
}
