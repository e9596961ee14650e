//! Choice among the metrics and programs of this bench.

use std::path::PathBuf;

use crate::figures::print_metric;
use dev_programs::Selection;

/// Metrics of the programs that the bench of kernels builds, too: first those of one build, then
/// those of two.
pub(super) const METRICS: [&str; 4] =
    ["wasted_share", "imported_used", COMPARISONS[0], COMPARISONS[1]];
/// Metrics that compare with a build in which no module is closed.
pub(super) const COMPARISONS: [&str; 2] = ["cpu_vs_before", "code_growth"];

/// Choice of metrics and programs.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Metrics to measure. An empty list means all or, with `programs`, all metrics of programs.
    pub metrics: Vec<String>,
    /// Programs to build; an empty list means all.
    pub programs: Vec<String>,
    /// Whether the generated program has one level of calls less.
    pub quick: bool,
    /// Seed of the generated program and of the library.
    pub seed: u64,
    /// Folder of executables to use instead of the checkout's, to compare versions.
    pub executables: Option<PathBuf>,
}

impl Options {
    /// Returns whether a metric is to be measured.
    pub(super) fn wants(&self, metric: &str) -> bool {
        if self.metrics.is_empty() {
            self.programs.is_empty() || METRICS.contains(&metric)
        } else {
            self.metrics.iter().any(|wanted| wanted == metric)
        }
    }

    /// Returns the programs to build for the metrics in [`METRICS`].
    pub(super) fn selection(&self) -> Selection<'_> {
        let (names, only) = (&dev_programs::FIRST, self.programs.as_slice());
        Selection { names, only, quick: self.quick, seed: self.seed }
    }
}

/// Prints a metric of this bench.
pub(super) fn print(name: &str, value: f64) {
    print_metric(&format!("closing.{name}"), value);
}
