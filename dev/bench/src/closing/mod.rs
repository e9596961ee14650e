//! The effects of closed modules, in which a kernel's job holds every function that the kernel
//! reaches.
//!
//! The thin link closes a module if the functions that its kernels reach fit a limit, and compiles
//! nothing twice or needlessly. Each metric measures one of these promises:
//!
//! | metric | figure | file |
//! |---|---|---|
//! | `nvshmem_seconds` | wall time of the link of three kernels on a large library | `nvshmem.rs` |
//! | `wasted_share` | instructions that are assembled and dropped by nvlink | `figures.rs` |
//! | `imported_used` | imported instructions that end up inlined | `figures.rs` |
//! | `second_program_jobs` | jobs of a library that further programs run | `second_program.rs` |
//! | `edit_share` | processor time of the jobs that an edit of one body runs again | `edits.rs` |
//! | `cpu_vs_before` | processor time of the link beside `--close-modules=false` | `figures.rs` |
//! | `code_growth` | instructions in the image beside `--close-modules=false` | `figures.rs` |

pub(crate) mod edits;
mod figures;
mod imports;
mod nvshmem;
mod options;
mod second_program;

use std::path::Path;

use crate::device_link::Setup;
use dev_process::Result;
pub use options::Options;

use figures::Figures;
use options::{COMPARISONS, METRICS};

/// Returns the names of all metrics.
pub fn metrics() -> impl Iterator<Item = &'static str> {
    ALONE.iter().map(|(name, _)| *name).chain(METRICS)
}

/// Measures the metrics that the options ask for.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let setup = Setup::new(root, "closing", options.executables.as_deref())?;
    for (metric, measure) in ALONE {
        if options.wants(metric) {
            measure(root, &setup, options)?;
        }
    }
    if METRICS.iter().any(|metric| options.wants(metric)) {
        let programs = dev_programs::all(root, &options.selection())?;
        let figures = Figures::measure(&programs, &setup)?;
        figures.print(options);
        if COMPARISONS.iter().any(|metric| options.wants(metric)) {
            figures.compare(&programs, &setup, options)?;
        }
    }
    Ok(())
}

/// Measures and prints one metric.
type Measure = fn(&Path, &Setup, &Options) -> Result<()>;

/// Metrics that are measured on separate programs.
const ALONE: [(&str, Measure); 3] = [
    ("nvshmem_seconds", nvshmem::measure),
    ("second_program_jobs", second_program::measure),
    ("edit_share", edits::measure),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(metrics: &[&str], programs: &[&str]) -> Vec<&'static str> {
        let [metrics, programs] =
            [metrics, programs].map(|names| names.iter().map(|&name| name.to_owned()).collect());
        let options = Options { metrics, programs, ..Options::default() };
        super::metrics().filter(|metric| options.wants(metric)).collect()
    }

    #[test]
    fn a_choice_of_programs_leaves_out_metrics_with_programs_of_their_own() {
        assert_eq!(wanted(&[], &[]), metrics().collect::<Vec<_>>());
        assert_eq!(wanted(&["edit_share", "code_growth"], &[]), ["edit_share", "code_growth"]);
        assert_eq!(wanted(&[], &["transport"]), METRICS);
        assert_eq!(wanted(&["wasted_share"], &["ggml"]), ["wasted_share"]);
    }
}
