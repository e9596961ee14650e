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
mod nvshmem;
mod second_program;

use std::path::{Path, PathBuf};

use crate::device_link::Setup;
use crate::figures::print_metric;
use dev_process::Result;
use dev_programs::Selection;
use figures::Figures;

/// Choice of metrics and programs.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Metrics to measure; an empty list means all, or with `programs` all that are measured of programs.
    pub metrics: Vec<String>,
    /// Programs to build; an empty list means all.
    pub programs: Vec<String>,
    /// Whether the generated program has a level of calls less.
    pub quick: bool,
    /// Seed of the generated program and of the library.
    pub seed: u64,
    /// Folder of other executables than those of this checkout, to compare versions.
    pub executables: Option<PathBuf>,
}

impl Options {
    /// Returns whether a metric is to be measured.
    fn wants(&self, metric: &str) -> bool {
        if self.metrics.is_empty() {
            self.programs.is_empty() || figures::METRICS.contains(&metric)
        } else {
            self.metrics.iter().any(|wanted| wanted == metric)
        }
    }

    /// Returns the programs to build for the metrics that are measured of programs.
    fn selection(&self) -> Selection<'_> {
        let (names, only) = (&dev_programs::FIRST, self.programs.as_slice());
        Selection { names, only, quick: self.quick, seed: self.seed }
    }
}

/// Returns the names of all metrics.
pub fn metrics() -> impl Iterator<Item = &'static str> {
    ALONE.iter().map(|(name, _)| *name).chain(figures::METRICS)
}

/// Measures the metrics that the options ask for.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let setup = Setup::new(root, "closing", options.executables.as_deref())?;
    for (metric, measure) in ALONE {
        if options.wants(metric) {
            measure(root, &setup, options)?;
        }
    }
    if figures::METRICS.iter().any(|metric| options.wants(metric)) {
        let programs = dev_programs::all(root, &options.selection())?;
        let figures = Figures::measure(&programs, &setup)?;
        figures.print(options);
        if figures::COMPARISONS.iter().any(|metric| options.wants(metric)) {
            figures.compare(&programs, &setup, options)?;
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
        assert_eq!(wanted(&[], &["transport"]), figures::METRICS);
        assert_eq!(wanted(&["wasted_share"], &["ggml"]), ["wasted_share"]);
    }
}
