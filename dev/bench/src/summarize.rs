//! Cost of summaries: the time of `summarize` beside the compilation of the same unit, and bytes;
//! and what the summary of a vendor's library takes.

use std::fs;
use std::path::{Path, PathBuf};

use crate::figures::{median, number, print_metric, size};
use dev_checkout::executables;
use dev_process::{Error, Process, Result, Stopwatch, remove, usage, while_trying};
use dev_programs::ggml;
use dev_toolchain::{Scope, Toolchain, samples};

/// Number of times that each unit is summarized; the median counts. A unit is compiled once, as
/// that takes much longer.
const RUNS: usize = 7;

/// Figures of one unit.
struct Measurement {
    compile_seconds: f64,
    summarize_seconds: f64,
    object_bytes: u64,
    summary_bytes: u64,
    functions: usize,
}

/// Places of tools and files.
struct Bench {
    toolchain: Toolchain,
    ggml: PathBuf,
    summarize: PathBuf,
    scratch: PathBuf,
}

/// Compiles and summarizes the units one after the other, so that nothing disturbs the times.
pub fn run(root: &Path) -> Result<()> {
    let toolchain = dev_toolchain::ensure(root, Scope::Builds)?;
    let ggml = samples::ensure(root, samples::GGML)?;
    let summarize = executables::build(root, &toolchain)?.join("summarize");
    let scratch = executables::target_folder(root)?.join("bench");
    remove(&scratch)?;
    fs::create_dir_all(&scratch).map_err(while_trying("create", &scratch))?;
    let bench = Bench { toolchain, ggml, summarize, scratch };
    let mut measurements = Vec::new();
    println!("{:40} {:>9} {:>11} {:>9} {:>9}", "unit", "clang", "summarize", "functions", "bytes");
    for unit in ggml::units() {
        let measured = bench.measure(&unit)?;
        println!(
            "{unit:40} {:7.2} s {:8.1} ms {:9} {:9}",
            measured.compile_seconds,
            measured.summarize_seconds * 1000.0,
            measured.functions,
            measured.summary_bytes
        );
        measurements.push(measured);
    }
    print(&measurements);
    bench.measure_library(root)
}

fn print(measurements: &[Measurement]) {
    let megabytes: f64 = measurements.iter().map(|unit| number(unit.object_bytes) / 1e6).sum();
    let seconds: f64 = measurements.iter().map(|unit| unit.summarize_seconds).sum();
    let shares = measurements.iter().map(|unit| unit.summarize_seconds / unit.compile_seconds);
    let sizes =
        measurements.iter().map(|unit| number(unit.summary_bytes) / number(unit.functions as u64));
    print_metric("summarize.mb_per_s", megabytes / seconds);
    print_metric("summarize.share_of_compile", median(shares));
    print_metric("summarize.bytes_per_function", median(sizes));
}

impl Bench {
    /// Summarizes NVSHMEM's device library, one module of 54 MB.
    fn measure_library(&self, root: &Path) -> Result<()> {
        let nvshmem = samples::ensure(root, samples::NVSHMEM)?;
        let library = nvshmem.join(samples::NVSHMEM_LIBRARY).display().to_string();
        let summary = self.scratch.join("library.summary").display().to_string();
        let words = ["--no-cache", "--module-id", "library", "-o", &summary, &library];
        let arguments = words.map(str::to_owned);
        let mut runs = Vec::new();
        for _ in 0..RUNS {
            runs.push(usage::measure(
                &self.summarize,
                &arguments,
                &self.scratch.join("library.usage"),
            )?);
        }
        let gib = median(runs.iter().map(|run| run.bytes / f64::from(1 << 30)));
        print_metric("summarize.library_seconds", median(runs.iter().map(|run| run.seconds)));
        print_metric("summarize.library_gib", gib);
        Ok(())
    }

    fn measure(&self, unit: &str) -> Result<Measurement> {
        let object = self.scratch.join("unit.o");
        let summary = self.scratch.join("unit.summary");
        let stopwatch = Stopwatch::start();
        Process::new(&self.toolchain.clang_cxx)
            .args(ggml::compile_arguments(unit, &object, &self.toolchain.cuda_root))
            .directory(&self.ggml)
            .output(&object)
            .quietly()
            .capture()?;
        let compile_seconds = stopwatch.seconds();
        let mut runs = Vec::new();
        for _ in 0..RUNS {
            let stopwatch = Stopwatch::start();
            Process::new(&self.summarize)
                .args(["--module-id", unit, "-o"])
                .arg(&summary)
                .arg(&object)
                .output(&summary)
                .quietly()
                .capture()?;
            runs.push(stopwatch.seconds());
        }
        let json =
            Process::new(&self.summarize).arg("--print").arg(&summary).quietly().capture()?;
        match functions_in(&json) {
            0 => Err(Error::new(format!("{unit}: its summary holds no function"))),
            functions => Ok(Measurement {
                compile_seconds,
                summarize_seconds: median(runs),
                object_bytes: size(&object)?,
                summary_bytes: size(&summary)?,
                functions,
            }),
        }
    }
}

/// Counts the defined functions of a printed summary.
fn functions_in(json: &str) -> usize {
    json.lines().filter(|line| line.trim() == "\"function\": {").count()
}
