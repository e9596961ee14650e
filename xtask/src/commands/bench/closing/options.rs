//! The bench's own command line.

use std::path::PathBuf;

use super::{ALONE, figures};
use crate::commands::bench::arguments;
use crate::commands::bench::programs::{self, Selection};
use dev_process::{Error, Result};

/// What may be chosen.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// The metrics to measure; none means all, or with `programs` all that are of programs.
    metrics: Vec<String>,
    /// The programs to build; none means all.
    programs: Vec<String>,
    /// The generated program has a level of calls less.
    pub(super) quick: bool,
    /// Seed of the generated program and of the library.
    pub(super) seed: u64,
    /// The folder of other executables than those of this checkout, to compare versions.
    pub(super) executables: Option<PathBuf>,
}

impl Options {
    pub(super) fn parse(arguments: &[String]) -> Result<Self> {
        let mut options = Self { seed: 1, ..Self::default() };
        let valued = ["--only", "--seed", "--executables"];
        for (name, value) in arguments::parse("closing", &["--quick"], &valued, arguments)? {
            match name {
                "--quick" => options.quick = true,
                "--seed" => options.seed = arguments::number(name, &value)?,
                "--executables" => options.executables = Some(value.into()),
                _ if programs::FIRST.contains(&value.as_str()) => options.programs.push(value),
                _ if metrics().any(|metric| metric == value) => options.metrics.push(value),
                _ => {
                    let known: Vec<&str> = metrics().chain(programs::FIRST).collect();
                    let known = known.join(", ");
                    let message = format!("--only takes one of {known}, got {value:?}");
                    return Err(Error::usage(message));
                }
            }
        }
        Ok(options)
    }

    /// Whether a metric is to be measured.
    pub(super) fn wants(&self, metric: &str) -> bool {
        if self.metrics.is_empty() {
            self.programs.is_empty() || figures::METRICS.contains(&metric)
        } else {
            self.metrics.iter().any(|it| it == metric)
        }
    }

    /// The programs to build for the metrics that are of programs.
    pub(super) fn selection(&self) -> Selection<'_> {
        let (names, only) = (&programs::FIRST, self.programs.as_slice());
        Selection { names, only, quick: self.quick, seed: self.seed }
    }
}

/// Names of all metrics.
fn metrics() -> impl Iterator<Item = &'static str> {
    ALONE.iter().map(|(name, _)| *name).chain(figures::METRICS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options> {
        Options::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    fn wanted(line: &str) -> Vec<&'static str> {
        let options = parse(line).unwrap();
        metrics().filter(|metric| options.wants(metric)).collect()
    }

    #[test]
    fn only_takes_metrics_and_programs() {
        assert_eq!(wanted(""), metrics().collect::<Vec<_>>());
        assert_eq!(wanted("--only edit_share --only=code_growth"), ["edit_share", "code_growth"]);
        assert_eq!(wanted("--only transport"), figures::METRICS);
        assert_eq!(wanted("--only ggml --only wasted_share"), ["wasted_share"]);
        let options = parse("--only ggml --only wasted_share --quick --seed 7").unwrap();
        let Selection { only, quick, seed, .. } = options.selection();
        assert_eq!((only, quick, seed), (&["ggml".to_owned()][..], true, 7));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for line in ["--only nothing", "--only", "--quick=1", "--codegen x", "ggml", "--seed x"] {
            assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line}");
        }
    }
}
