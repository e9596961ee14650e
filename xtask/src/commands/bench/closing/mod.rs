//! What it is worth that a kernel's job holds all that the kernel reaches.
//!
//! The thin link closes a module where what its kernels reach fits a limit, and compiles nothing twice or in
//! vain. Each metric looks at one promise of that:
//!
//! | metric | what | file |
//! |---|---|---|
//! | `nvshmem_seconds` | wall time of the device link of three kernels on a large library | `nvshmem.rs` |
//! | `wasted_share` | instructions that are assembled and dropped by nvlink | `figures.rs` |
//! | `imported_used` | imported instructions that end up inlined | `figures.rs` |
//! | `second_program_jobs` | jobs of a library's units that further programs run | `second_program.rs` |
//! | `edit_share` | processor time of what an edit of one body re-runs | `edits.rs` |
//! | `cpu_vs_before` | processor time of the device link beside `--close-modules=false` | `figures.rs` |
//! | `code_growth` | instructions in the image beside `--close-modules=false` | `figures.rs` |

mod edits;
mod figures;
mod imports;
mod library;
mod nvshmem;
mod options;
mod second_program;
mod setup;

use std::path::Path;

use super::print_metric;
use super::programs;
use dev_builds::Tools;
use dev_checkout::executables;
use dev_process::Result;
use figures::Figures;
use options::Options;
use setup::Setup;

pub(super) const HELP: &str = "closed modules: waste, imports used, time, growth, jobs of a library, edits; \
                               --only METRIC-OR-PROGRAM, --quick, --seed N, --executables DIR";

/// Measures what the options ask for.
pub(super) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let options = Options::parse(arguments)?;
    let toolchain = dev_toolchain::ensure(root)?;
    let executables = match &options.executables {
        Some(folder) => folder.clone(),
        None => executables::build(root, &toolchain)?,
    };
    let folder = executables::target_folder(root)?.join("bench/closing");
    let setup = Setup { folder, tools: Tools { toolchain, executables } };
    for (metric, measure) in ALONE {
        if options.wants(metric) {
            measure(root, &setup, &options)?;
        }
    }
    if figures::METRICS.iter().any(|metric| options.wants(metric)) {
        let programs = programs::all(root, &options.selection())?;
        let figures = Figures::measure(&programs, &setup)?;
        figures.print(&options);
        if figures::COMPARISONS.iter().any(|metric| options.wants(metric)) {
            figures.compare(&programs, &setup, &options)?;
        }
    }
    Ok(())
}

/// Measures and prints one metric.
type Measure = fn(&Path, &Setup, &Options) -> Result<()>;

/// The metrics that have programs of their own.
const ALONE: [(&str, Measure); 3] = [
    ("nvshmem_seconds", nvshmem::measure),
    ("second_program_jobs", second_program::measure),
    ("edit_share", edits::measure),
];

/// A metric of this bench.
fn print(name: &str, value: f64) {
    print_metric(&format!("closing.{name}"), value);
}
