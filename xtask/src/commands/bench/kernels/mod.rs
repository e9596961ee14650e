//! What Weft makes of programs beside `nvcc -dlto` and plain separate compilation: the kernels, and the
//! processor time of the device link.
//!
//! Four programs, each built three ways in the same run from the same sources: `examples/transport`, a
//! generated one of 33 units with calls several levels deep, and two from package registries, ggml-cuda
//! (a choice of units) and `LightGBM`. Objects are kept from run to run; the device link, which for Weft is
//! everything from `summarize` on, runs again each time, so that its processor time (user and system, of
//! all processes) can be taken.

mod compare;
mod gpu;
mod options;
mod overhead;

use std::path::Path;

use super::print_metric;
use super::programs::{self, Selection, Source};
use crate::error::Result;
use crate::program::{Settings, Target, Tools, Variant};
use crate::sass::{self, Image};
use crate::{executables, processor_time, toolchain};
use compare::{Comparison, Measured};
use options::Options;

pub(super) const HELP: &str = "kernels and device build time beside nvcc -dlto and no LTO; \
                               --only PROGRAM, --quick, --seed N, --codegen OPTION, --executables DIR";

/// Builds all programs three ways and prints how they compare.
pub(super) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let options = Options::parse(arguments)?;
    let toolchain = toolchain::ensure(root)?;
    let executables = match &options.executables {
        Some(folder) => folder.clone(),
        None => executables::build(root, &toolchain)?,
    };
    let tools = Tools { toolchain, executables };
    let folder = executables::target_folder(root)?.join("bench/kernels");
    let mut comparisons = Vec::new();
    let mut shares = Vec::new();
    let selection = Selection { only: &options.only, quick: options.quick, seed: options.seed };
    for source in programs::all(root, &selection)? {
        let measured = measure(&source, &folder, &tools, &options)?;
        let comparison = Comparison::of(source.name, &measured);
        println!("{}", comparison.table());
        let weft = source.open(&folder, Variant::Weft, &tools)?;
        let overhead = overhead::measure(&weft, &tools, &options.codegen)?;
        println!("{overhead}\n");
        shares.push(overhead);
        if gpu::has_gpu() && source.runs {
            gpu::run(&folder.join(source.name), &tools)?;
        }
        comparisons.push(comparison);
    }
    for (name, value) in compare::metrics(&comparisons) {
        print_metric(&format!("kernels.{name}"), value);
    }
    print_metric("kernels.overhead_share", overhead::share(&shares));
    Ok(())
}

/// Builds one program three ways.
fn measure(
    source: &Source,
    folder: &Path,
    tools: &Tools,
    options: &Options,
) -> Result<Vec<(Variant, Measured)>> {
    println!("{}: {}", source.name, source.what);
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let settings = Settings { codegen_options: options.codegen.clone(), ..source.settings() };
    let mut measured = Vec::new();
    for variant in Variant::ALL {
        let program = source.open(folder, variant, tools)?;
        program.write_ninja(variant, &settings)?;
        program.build(variant, Target::Objects, jobs)?;
        program.forget_device_link(variant)?;
        let before = processor_time::of_children()?;
        program.build(variant, Target::Image, jobs)?;
        let seconds = processor_time::of_children()? - before;
        let image: Image = sass::read(&tools.toolchain, &program.image(variant)?)?;
        println!("  {:5} device link {seconds:8.2} s of processor time", variant.name());
        measured.push((variant, Measured { image, seconds }));
    }
    Ok(measured)
}
