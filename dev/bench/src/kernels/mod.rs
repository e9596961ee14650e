//! Kernels and device links of Weft beside `nvcc -dlto` and plain separate compilation.
//!
//! Each program is built in several ways in the same run, from the same sources and with equal
//! arithmetic. Beside the thin link, Weft links each program in one job, too: the yardstick of the
//! thin link's decisions, as no call leaves a module there.
//!
//! | program | content | reference |
//! |---|---|---|
//! | transport | `examples/transport` | `nvcc -dlto` |
//! | generated | 33 units with calls several levels deep | `nvcc -dlto` |
//! | ggml | a choice of the units of ggml-cuda | `nvcc -dlto` |
//! | lightgbm | `LightGBM` | `nvcc -dlto` |
//! | cub | algorithms of CUB for several types | `nvcc -dlto` |
//! | nvshmem | kernels on NVSHMEM's device library | clang, with all in one module |
//! | functors | templates, functors and lambdas of a portability layer | `nvcc -dlto` |
//!
//! `metrics.rs` defines the metrics, and `compare.rs` the table of each program.

pub(crate) mod compare;
mod gpu;
pub(crate) mod metrics;
mod overhead;
pub(crate) mod pairs;
pub(crate) mod worst;

use std::path::{Path, PathBuf};

use crate::device_link::{Setup, link};
use crate::figures::{number, print_metric};
use compare::{Comparison, Measured};
use dev_builds::{Settings, Tools, Variant};
use dev_process::{Error, Result};
use dev_programs::{FIRST, NAMES, Selection, Source};
use dev_sass::Image;
use metrics::Built;

/// Program whose longest job is a metric.
const GENERATED: &str = "generated";
/// Program of which the registers of one kernel are a metric, and the kernel.
const RING: (&str, &str) = ("nvshmem", "ring");

/// Choice of programs, and options of their builds.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Programs to build; an empty list means all.
    pub only: Vec<String>,
    /// Whether the generated program has one level of calls less.
    pub quick: bool,
    /// Seed of the generated program.
    pub seed: u64,
    /// More options for `backend-job codegen`.
    pub codegen: Vec<String>,
    /// Folder of executables to use instead of the checkout's, to compare versions.
    pub executables: Option<PathBuf>,
}

/// Builds all programs in all ways and prints their comparison.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let Setup { folder, tools } = Setup::new(root, "kernels", options.executables.as_deref())?;
    let mut comparisons = Vec::new();
    let mut all = Vec::new();
    let mut shares = Vec::new();
    let mut alone = Vec::new();
    let (names, only) = (&NAMES, options.only.as_slice());
    let selection = Selection { names, only, quick: options.quick, seed: options.seed };
    for source in dev_programs::all(root, &selection)? {
        let measured = measure(&source, &folder, &tools, options)?;
        let comparison = Comparison::of(source.name, source.reference, &measured);
        println!("{}", comparison.table());
        let built = pair(&source, &folder, &tools, &measured)?;
        println!("{}", worst::lists(&built.pairs, source.reference.name()));
        alone.extend(metric_of_one(&source, &folder, &tools, &built)?);
        if FIRST.contains(&source.name) {
            let weft = source.open(&folder, Variant::Weft, &tools)?;
            let overhead = overhead::measure(&weft, &tools, &options.codegen)?;
            println!("{overhead}\n");
            shares.push(overhead);
        }
        if gpu::has_gpu() && source.runs {
            gpu::run(&folder.join(source.name), &tools)?;
        }
        comparisons.push(comparison);
        all.push(built);
    }
    let metrics = compare::metrics(&comparisons).into_iter().chain(metrics::metrics(&all));
    for (name, value) in metrics.chain(alone) {
        print_metric(&format!("kernels.{name}"), value);
    }
    if !shares.is_empty() {
        print_metric("kernels.overhead_share", overhead::share(&shares));
    }
    Ok(())
}

/// Builds one program in all ways.
fn measure(
    source: &Source,
    folder: &Path,
    tools: &Tools,
    options: &Options,
) -> Result<Vec<(Variant, Measured)>> {
    println!("{}: {}", source.name, source.what);
    let codegen_options = options.codegen.clone();
    // Writing the times costs a shell some time, so only the program with a metric of times does
    // it.
    let job_times = source.name == GENERATED;
    let settings = Settings { codegen_options, job_times, ..source.settings() };
    let mut measured = Vec::new();
    // Both builds of Weft's share a folder, in which later steps look for the thin one.
    for &variant in [Variant::Full].iter().chain(source.variants()) {
        let program = source.open(folder, variant, tools)?;
        let seconds = link(&program, variant, &settings)?.processor;
        let image: Image = dev_sass::read(&tools.toolchain, &program.image(variant)?)?;
        println!("  {:5} device link {seconds:8.2} s of processor time", variant.name());
        measured.push((variant, Measured { image, seconds }));
    }
    measured.rotate_left(1);
    Ok(measured)
}

/// Pairs the kernels of Weft's image with those of the reference image.
fn pair(
    source: &Source,
    folder: &Path,
    tools: &Tools,
    measured: &[(Variant, Measured)],
) -> Result<Built> {
    let of = |wanted: Variant| {
        let found =
            measured.iter().find(|(variant, _)| *variant == wanted).map(|(_, measured)| measured);
        found.ok_or_else(|| Error::new(format!("{}: no build {}", source.name, wanted.name())))
    };
    let (weft, other) = (of(Variant::Weft)?, of(source.reference)?);
    let program = source.open(folder, Variant::Weft, tools)?;
    let removed = program.removed_kernels()?;
    let removed: Vec<&str> = removed.iter().map(String::as_str).collect();
    let removed = dev_sass::all_names(&tools.toolchain, &removed)?.into_iter().collect();
    let pairs = pairs::of(&weft.image, &other.image, &removed)
        .map_err(|error| Error::new(format!("{}: {error}", source.name)))?;
    Ok(Built { program: source.name, pairs, seconds: (weft.seconds, other.seconds) })
}

/// Returns the metric that only this program has, if there is one.
fn metric_of_one(
    source: &Source,
    folder: &Path,
    tools: &Tools,
    built: &Built,
) -> Result<Option<(String, f64)>> {
    if source.name == GENERATED {
        let jobs = source.open(folder, Variant::Weft, tools)?.job_seconds()?;
        let share = metrics::longest_share(jobs.into_values(), built.seconds.0);
        return Ok(Some(("longest_job_share".to_owned(), share)));
    }
    let (program, kernel) = RING;
    if source.name == program {
        let ring = built.pairs.iter().find(|pair| pair.name == kernel);
        let ring = ring.ok_or_else(|| Error::new(format!("{program}: no kernel {kernel}")))?;
        let registers = number(ring.weft.cost.registers);
        return Ok(Some((format!("{program}_{kernel}_regs"), registers)));
    }
    Ok(None)
}
