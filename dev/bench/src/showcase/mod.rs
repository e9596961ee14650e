//! All of ggml-cuda, built once with Weft and once with `nvcc -dlto`.
//!
//! Both builds compile the same units with equal options and equal arithmetic, up to the object
//! that registers the linked image. That takes hours on a small machine, so an interrupted run
//! resumes: objects and results of jobs stay while their sources do, and a build that was measured
//! is not repeated (`side.rs`).
//!
//! | metric | figure |
//! |---|---|
//! | `units`, `kernels` | number of units, and of the kernels that both images have |
//! | `SIDE_compile_cpu_seconds` | processor time of all compilations |
//! | `SIDE_link_cpu_seconds` | processor time of the rest, from the objects on |
//! | `SIDE_compile_gigabytes`, `SIDE_link_gigabytes` | largest memory of one process in either |
//! | `SIDE_edit_seconds` | wall time of all that runs after an edit of one unit |
//! | `SIDE_regs`, `_stack`, `_local`, `_calls` | sums over the kernels that both images have |
//! | `regs_vs_dlto`, … | geometric means of kernels' ratios, as `bench kernels` has them |
//!
//! SIDE is `weft` or `dlto`. `local` counts accesses to local memory, which is where spilled
//! registers go. The table for the README comes last (`table.rs`).

mod side;
mod table;

use std::path::{Path, PathBuf};

use crate::device_link::Setup;
use crate::figures::{number, print_metric};
use crate::kernels::compare::{Comparison, Measured};
use crate::kernels::pairs;
use dev_builds::Variant;
use dev_process::Result;
use side::{EDITED, Side};
use table::{Kernels, SIDES};

/// Options of the bench.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Number of units to build; without it all.
    pub units: Option<usize>,
    /// Folder of executables to use instead of the checkout's, to compare versions.
    pub executables: Option<PathBuf>,
}

/// Makes both builds, and prints the metrics and the table.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let setup = Setup::new(root, "showcase", options.executables.as_deref())?;
    let source = dev_programs::all_of_ggml(root, options.units, EDITED)?;
    println!("showcase: {}", source.what);
    let mut weft = Side::new(root, &source, &setup, Variant::Weft)?;
    let mut dlto = Side::new(root, &source, &setup, Variant::Dlto)?;
    let costs = [weft.base()?, dlto.base()?];
    let images = [weft.image()?, dlto.image()?];
    let removed = weft.removed_kernels()?;
    let kernels = pairs::of(&images[0], &images[1], &removed)?.len();
    let measured = images.map(|image| Measured { image, seconds: 1.0 });
    let [one, other] = measured;
    let measured = [(Variant::Weft, one), (Variant::Dlto, other)];
    let comparison = Comparison::of(source.name, Variant::Dlto, &measured);
    let kernels = Kernels::of(&comparison, kernels);
    // Known figures are printed before the edits: nvcc links for an hour after its edit.
    print_metric("showcase.units", number(source.units() as u64));
    for (name, value) in table::metrics(&costs, &kernels) {
        print_metric(&format!("showcase.{name}"), value);
    }

    let edits = [weft.edit_seconds()?, dlto.edit_seconds()?];
    for (side, seconds) in SIDES.iter().zip(edits) {
        print_metric(&format!("showcase.{side}_edit_seconds"), seconds);
    }
    println!("\n{}", table::render(&costs, edits, &kernels));
    Ok(())
}
