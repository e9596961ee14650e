//! `cargo xtask bench NAME`: measures one thing and prints it as lines `metric NAME VALUE`.
//!
//! Benches are no tests: they fail when something cannot be measured, never on a value. Executables
//! are those that users get, built with optimisation.

mod arguments;
mod build;
mod closing;
mod kernels;
mod oracle;
mod programs;
mod remote;
mod summarize;
mod thinlink;

use std::path::Path;

use dev_process::{Error, Result, while_trying};

/// The line in the table of commands.
pub(crate) const HELP: &str = "measure one thing; without a name, say what can be measured";

/// One row of the table.
struct Bench {
    name: &'static str,
    help: &'static str,
    /// Takes the root of the checkout and the arguments after the name.
    run: fn(&Path, &[String]) -> Result<()>,
}

const BENCHES: &[Bench] = &[
    Bench { name: "build", help: build::HELP, run: build::run },
    Bench { name: "closing", help: closing::HELP, run: closing::run },
    Bench { name: "kernels", help: kernels::HELP, run: kernels::run },
    Bench { name: "oracle", help: oracle::HELP, run: oracle::run },
    Bench { name: "remote", help: remote::HELP, run: remote::run },
    Bench { name: "summarize", help: summarize::HELP, run: summarize::run },
    Bench { name: "thinlink", help: thinlink::HELP, run: thinlink::run },
];

/// Runs the bench that the argument names.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let Some((name, rest)) = arguments.split_first() else {
        return Err(Error::usage(table()));
    };
    match BENCHES.iter().find(|bench| bench.name == name) {
        Some(bench) => (bench.run)(root, rest),
        None => Err(Error::usage(format!("there is no bench {name:?}\n\n{}", table()))),
    }
}

fn table() -> String {
    let rows = BENCHES.iter().map(|Bench { name, help, .. }| format!("  {name:12}  {help}"));
    let head = ["usage: cargo xtask bench NAME", "", "Benches:"].map(str::to_owned);
    head.into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}

/// A metric, as scripts read it.
fn print_metric(name: &str, value: f64) {
    println!("metric {name} {value:.4}");
}

/// The bytes of a file.
fn size(path: &Path) -> Result<u64> {
    Ok(path.metadata().map_err(while_trying("read", path))?.len())
}

/// Counts here are far below where a float loses them.
#[expect(clippy::cast_precision_loss, reason = "registers, calls and sizes of files")]
fn number(count: u64) -> f64 {
    count as f64
}

/// The middle one of some values, or the mean of the two in the middle; 0 for none.
fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        even if even % 2 == 0 => f64::midpoint(values[middle - 1], values[middle]),
        _ => values[middle],
    }
}

/// The geometric mean of positive values; 1 of none.
pub(super) fn geometric_mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) =
        values.into_iter().fold((0.0, 0_u32), |(sum, count), value| (sum + value.ln(), count + 1));
    if count == 0 { 1.0 } else { (sum / f64::from(count)).exp() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        for (values, expected) in
            [(vec![], 0.0), (vec![7.0], 7.0), (vec![3.0, 1.0, 2.0], 2.0), (vec![4.0, 1.0], 2.5)]
        {
            assert!((median(values) - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn the_geometric_mean_of_a_double_and_a_half_is_one() {
        assert!((geometric_mean([2.0, 0.5]) - 1.0).abs() < 1e-12);
        assert!((geometric_mean([]) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn anything_but_a_bench_lists_the_table() {
        for arguments in [vec![], vec!["sumarize".to_owned()]] {
            let error = run(Path::new("."), &arguments).unwrap_err();
            assert_eq!(error.exit_code(), 2);
            assert!(error.message().contains(summarize::HELP));
        }
    }
}
