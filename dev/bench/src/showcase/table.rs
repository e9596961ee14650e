//! The figures of both sides, as metrics and as a table in Markdown.

use std::fmt::Write as _;

use super::side::Cost;
use crate::figures::number;
use crate::kernels::compare::Comparison;
use dev_builds::Variant;

/// Names of the sides in metrics.
pub(super) const SIDES: [&str; 2] = ["weft", "dlto"];
/// Costs of kernels in metrics, and what the table calls them.
const COSTS: [(&str, &str); 4] = [
    ("regs", "registers"),
    ("stack", "bytes of stack"),
    ("local", "accesses to local memory (spills)"),
    ("calls", "calls"),
];
const BYTES_PER_GIGABYTE: f64 = 1e9;

/// Figures of the kernels that both sides have.
#[derive(Debug)]
pub(super) struct Kernels {
    pub(super) count: usize,
    /// Sums for both sides, and the mean of the kernels' ratios, for each of `COSTS`.
    pub(super) costs: [([f64; 2], f64); 4],
}

impl Kernels {
    pub(super) fn of(comparison: &Comparison, count: usize) -> Self {
        let costs = COSTS.map(|(name, _)| {
            let sums = [Variant::Weft, Variant::Dlto].map(|side| comparison.sum(name, side));
            (sums, comparison.ratio(name, Variant::Dlto).unwrap_or(1.0))
        });
        Self { count, costs }
    }
}

/// Returns names without `showcase.` and values.
pub(super) fn metrics(costs: &[Cost; 2], kernels: &Kernels) -> Vec<(String, f64)> {
    let mut metrics = vec![("kernels".to_owned(), number(kernels.count as u64))];
    for (position, (side, cost)) in SIDES.iter().zip(costs).enumerate() {
        let mut add = |name: &str, value| metrics.push((format!("{side}_{name}"), value));
        for (name, part) in [("compile", cost.compile), ("link", cost.link)] {
            add(&format!("{name}_cpu_seconds"), part.seconds);
            add(&format!("{name}_gigabytes"), number(part.bytes) / BYTES_PER_GIGABYTE);
        }
        for ((name, _), (sums, _)) in COSTS.iter().zip(&kernels.costs) {
            add(name, sums[position]);
        }
    }
    for ((name, _), (_, ratio)) in COSTS.iter().zip(&kernels.costs) {
        metrics.push((format!("{name}_vs_dlto"), *ratio));
    }
    metrics
}

/// Renders the table in Markdown. `edits` are the seconds after an edit.
pub(super) fn render(costs: &[Cost; 2], edits: [f64; 2], kernels: &Kernels) -> String {
    let mut text = "| | Weft | `nvcc -dlto` | Weft / nvcc |\n|---|--:|--:|--:|\n".to_owned();
    let mut row = |name: &str, unit: &str, digits: usize, values: [f64; 2], ratio: f64| {
        let [weft, dlto] = values;
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "| {name} | {weft:.digits$}{unit} | {dlto:.digits$}{unit} | {ratio:.2} |"
        );
    };
    let mut cost = |name: &str, unit: &str, digits: usize, values: [f64; 2]| {
        row(name, unit, digits, values, values[0] / values[1]);
    };
    cost("compiling, processor time", " s", 0, costs.map(|cost| cost.compile.seconds));
    cost("all else, processor time", " s", 0, costs.map(|cost| cost.link.seconds));
    let memory = |cost: Cost| cost.compile.bytes.max(cost.link.bytes);
    let memory = costs.map(|cost| number(memory(cost)) / BYTES_PER_GIGABYTE);
    cost("largest job, memory", " GB", 1, memory);
    cost("after an edit of one unit", " s", 0, edits);
    for ((_, name), (sums, ratio)) in COSTS.iter().zip(&kernels.costs) {
        row(&format!("{name}, {} kernels", kernels.count), "", 0, *sums, *ratio);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::side::Part;
    use super::*;

    fn example() -> ([Cost; 2], Kernels) {
        let cost = |seconds, bytes| {
            let part = |seconds, bytes| Part { seconds, bytes };
            Cost { compile: part(40.0, 500_000_000), link: part(seconds, bytes) }
        };
        let costs =
            [([900.0, 1000.0], 0.95), ([0.0, 160.0], 0.5), ([3.0, 4.0], 0.8), ([1.0, 0.0], 2.0)];
        ([cost(100.0, 1_000_000_000), cost(400.0, 8_000_000_000)], Kernels { count: 7, costs })
    }

    #[test]
    fn the_table_has_both_sides_and_their_ratio() {
        let (costs, kernels) = example();
        let expected = "\
| | Weft | `nvcc -dlto` | Weft / nvcc |
|---|--:|--:|--:|
| compiling, processor time | 40 s | 40 s | 1.00 |
| all else, processor time | 100 s | 400 s | 0.25 |
| largest job, memory | 1.0 GB | 8.0 GB | 0.12 |
| after an edit of one unit | 2 s | 300 s | 0.01 |
| registers, 7 kernels | 900 | 1000 | 0.95 |
| bytes of stack, 7 kernels | 0 | 160 | 0.50 |
| accesses to local memory (spills), 7 kernels | 3 | 4 | 0.80 |
| calls, 7 kernels | 1 | 0 | 2.00 |
";
        assert_eq!(render(&costs, [2.0, 300.0], &kernels), expected);
    }

    #[test]
    fn each_figure_of_the_table_is_a_metric() {
        let (costs, kernels) = example();
        let metrics = metrics(&costs, &kernels);
        let value = |name: &str| metrics.iter().find(|(found, _)| found == name).unwrap().1;
        for (name, expected) in [
            ("kernels", 7.0),
            ("weft_compile_cpu_seconds", 40.0),
            ("dlto_link_cpu_seconds", 400.0),
            ("dlto_link_gigabytes", 8.0),
            ("dlto_stack", 160.0),
            ("weft_calls", 1.0),
            ("regs_vs_dlto", 0.95),
        ] {
            assert!((value(name) - expected).abs() < 1e-9, "{name}");
        }
        assert_eq!(metrics.len(), 1 + 2 * (4 + COSTS.len()) + COSTS.len());
    }
}
