//! Comparison of the images of one program, and of several programs together.
//!
//! Costs are compared kernel by kernel, and the ratios go into a geometric mean. Kernels count
//! alike, large or small, but the instances of one template count as one kernel together: LightGBM
//! has two templates of five lines with 384 instances each, which would be two thirds of the mean.
//! Stack and calls may be zero, so one call and sixteen bytes are added to both sides before they
//! are divided. Programs count alike, too.
//!
//! `thin_over_full_regs`, `_stack` and `_calls` are the means over all programs of the thin link's
//! costs beside those of the program in one job, and `cpu_full_vs_dlto_geomean` is that of the
//! latter's processor time beside `nvcc -dlto`'s.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::figures::{geometric_mean, number};
use dev_builds::Variant;
use dev_sass::{Image, KernelCost};

/// One build of a program.
pub(crate) struct Measured {
    pub(crate) image: Image,
    /// Processor time of the device link, in seconds.
    pub(crate) seconds: f64,
}

/// A cost of a kernel, and the amount that is added to it before a division.
struct Cost {
    name: &'static str,
    of: fn(&KernelCost) -> u64,
    shift: f64,
}

const COSTS: [Cost; 4] = [
    Cost { name: "regs", of: |cost| cost.registers, shift: 0.0 },
    Cost { name: "stack", of: |cost| cost.stack, shift: 16.0 },
    Cost { name: "calls", of: |cost| cost.calls, shift: 1.0 },
    Cost { name: "local", of: |cost| cost.local_accesses, shift: 1.0 },
];

/// One line of the table: a sum for each way of building, and the ratios of Weft's sum to the
/// others.
struct Row {
    name: &'static str,
    sums: Vec<f64>,
    /// Geometric mean of the ratios of Weft's cost to that of each other variant.
    ratios: Vec<(Variant, f64)>,
}

/// A program, built in several ways.
pub(crate) struct Comparison {
    program: &'static str,
    reference: Variant,
    variants: Vec<Variant>,
    kernels: usize,
    rows: Vec<Row>,
}

impl Comparison {
    /// Compares the kernels that all images have.
    pub(crate) fn of(
        program: &'static str,
        reference: Variant,
        measured: &[(Variant, Measured)],
    ) -> Self {
        let weft = of_variant(measured, Variant::Weft);
        let kernels: Vec<&str> = weft
            .into_iter()
            .flat_map(|build| build.image.kernels.keys())
            .filter(|name| {
                measured.iter().all(|(_, build)| build.image.kernels.contains_key(*name))
            })
            .map(String::as_str)
            .collect();
        let mut rows: Vec<Row> =
            COSTS.iter().map(|cost| kernel_row(cost, measured, &kernels)).collect();
        rows.push(plain_row("bytes", measured, |build| number(build.image.bytes)));
        rows.push(plain_row("cpu", measured, |build| build.seconds));
        let variants = measured.iter().map(|(variant, _)| *variant).collect();
        Self { program, reference, variants, kernels: kernels.len(), rows }
    }

    /// Renders the sums, and the ratios of Weft's costs to the others.
    pub(super) fn table(&self) -> String {
        let mut text = format!("  {} kernels in all images\n", self.kernels);
        // Writing to a String cannot fail.
        let _ = write!(text, "  {:8}", "");
        for variant in &self.variants {
            let _ = write!(text, " {:>12}", variant.name());
        }
        for variant in self.variants.iter().filter(|variant| **variant != Variant::Weft) {
            let _ = write!(text, " {:>12}", format!("weft/{}", variant.name()));
        }
        text.push('\n');
        for row in &self.rows {
            let _ = write!(text, "  {:8}", row.name);
            for sum in &row.sums {
                let _ = write!(text, " {sum:12.2}");
            }
            for (_, ratio) in &row.ratios {
                let _ = write!(text, " {ratio:12.3}");
            }
            text.push('\n');
        }
        text
    }

    /// Returns the geometric mean of the ratios of a cost, for the row with this name.
    pub(crate) fn ratio(&self, name: &str, beside: Variant) -> Option<f64> {
        let row = self.rows.iter().find(|row| row.name == name)?;
        row.ratios.iter().find(|(variant, _)| *variant == beside).map(|(_, ratio)| *ratio)
    }

    /// Returns the sum of a cost over all kernels, for the row with this name.
    pub(crate) fn sum(&self, name: &str, variant: Variant) -> f64 {
        let position = self.variants.iter().position(|candidate| *candidate == variant);
        let row = self.rows.iter().find(|row| row.name == name);
        row.zip(position).map_or(0.0, |(row, position)| row.sums[position])
    }
}

/// Returns the metrics over all programs that nvcc links, as names without `kernels.` and values.
pub(super) fn metrics(comparisons: &[Comparison]) -> Vec<(String, f64)> {
    let mut metrics = Vec::new();
    for comparison in comparisons {
        for row in &comparison.rows {
            if let Some(ratio) = comparison.ratio(row.name, comparison.reference) {
                let other = comparison.reference.name();
                metrics.push((format!("{}.{}_vs_{other}", comparison.program, row.name), ratio));
            }
        }
    }
    for name in ["regs", "stack", "calls"] {
        let ratios =
            comparisons.iter().filter_map(|comparison| comparison.ratio(name, Variant::Full));
        if ratios.clone().next().is_some() {
            metrics.push((format!("thin_over_full_{name}"), geometric_mean(ratios)));
        }
    }
    let comparisons =
        || comparisons.iter().filter(|comparison| comparison.reference == Variant::Dlto);
    if comparisons().next().is_none() {
        return metrics;
    }
    for beside in [Variant::Rdc, Variant::Dlto] {
        for name in ["regs", "stack", "calls", "local", "bytes"] {
            let ratios = comparisons().filter_map(|comparison| comparison.ratio(name, beside));
            metrics.push((format!("{name}_vs_{}", beside.name()), geometric_mean(ratios)));
        }
    }
    let seconds =
        |variant| comparisons().map(|comparison| comparison.sum("cpu", variant)).sum::<f64>();
    metrics.push(("cpu_vs_dlto".to_owned(), seconds(Variant::Weft) / seconds(Variant::Dlto)));
    let ratios = comparisons().filter_map(|comparison| comparison.ratio("cpu", Variant::Dlto));
    metrics.push(("cpu_vs_dlto_geomean".to_owned(), geometric_mean(ratios)));
    let of_full = comparisons().map(|comparison| {
        comparison.sum("cpu", Variant::Full) / comparison.sum("cpu", Variant::Dlto)
    });
    metrics.push(("cpu_full_vs_dlto_geomean".to_owned(), geometric_mean(of_full)));
    metrics
}

fn kernel_row(cost: &Cost, measured: &[(Variant, Measured)], kernels: &[&str]) -> Row {
    let value = |build: &Measured, kernel: &&str| {
        build.image.kernels.get(*kernel).map_or(0.0, |kernel| number((cost.of)(kernel)))
    };
    let sum = |build: &Measured| kernels.iter().map(|kernel| value(build, kernel)).sum();
    let weft = of_variant(measured, Variant::Weft);
    let weft = |kernel: &&str| weft.map_or(0.0, |build| value(build, kernel));
    let ratios = others(measured).map(|(variant, other)| {
        let mut templates: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for kernel in kernels {
            let ratio = (weft(kernel) + cost.shift) / (value(other, kernel) + cost.shift);
            templates.entry(template(kernel)).or_default().push(ratio);
        }
        (variant, geometric_mean(templates.into_values().map(geometric_mean)))
    });
    Row {
        name: cost.name,
        sums: measured.iter().map(|(_, build)| sum(build)).collect(),
        ratios: ratios.collect(),
    }
}

fn plain_row(
    name: &'static str,
    measured: &[(Variant, Measured)],
    value: fn(&Measured) -> f64,
) -> Row {
    let weft = of_variant(measured, Variant::Weft).map_or(0.0, value);
    Row {
        name,
        sums: measured.iter().map(|(_, build)| value(build)).collect(),
        ratios: others(measured).map(|(variant, build)| (variant, weft / value(build))).collect(),
    }
}

fn of_variant(measured: &[(Variant, Measured)], wanted: Variant) -> Option<&Measured> {
    measured.iter().find(|(variant, _)| *variant == wanted).map(|(_, build)| build)
}

fn others(measured: &[(Variant, Measured)]) -> impl Iterator<Item = (Variant, &Measured)> {
    measured
        .iter()
        .filter(|(variant, _)| *variant != Variant::Weft)
        .map(|(variant, build)| (*variant, build))
}

/// Returns a kernel's name without the arguments of its template and its parameters.
fn template(kernel: &str) -> &str {
    kernel.split(['<', '(']).next().unwrap_or(kernel)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(kernels: [(&str, KernelCost); 2], bytes: u64, seconds: f64) -> Measured {
        let kernels = kernels.map(|(name, cost)| (name.to_owned(), cost)).into();
        Measured { image: Image { bytes, kernels, ..Image::default() }, seconds }
    }

    fn cost(registers: u64, stack: u64, calls: u64) -> KernelCost {
        KernelCost { registers, stack, calls, ..KernelCost::default() }
    }

    #[test]
    fn kernels_count_alike_and_zeros_are_shifted() {
        let builds = [
            (Variant::Rdc, measured([("a", cost(20, 48, 3)), ("b", cost(80, 0, 0))], 400, 1.0)),
            (Variant::Weft, measured([("a", cost(20, 0, 0)), ("b", cost(20, 0, 0))], 100, 2.0)),
            (Variant::Dlto, measured([("a", cost(10, 16, 0)), ("c", cost(9, 9, 9))], 200, 8.0)),
        ];
        let comparison = Comparison::of("p", Variant::Dlto, &builds);
        assert_eq!(comparison.kernels, 1);
        for (name, beside, expected) in [
            ("regs", Variant::Dlto, 2.0),
            ("stack", Variant::Dlto, 0.5),
            ("stack", Variant::Rdc, 0.25),
            ("calls", Variant::Rdc, 0.25),
            ("bytes", Variant::Dlto, 0.5),
            ("cpu", Variant::Dlto, 0.25),
        ] {
            let ratio = comparison.ratio(name, beside).unwrap();
            assert!((ratio - expected).abs() < 1e-9, "{name} {ratio}");
        }
        let metrics = metrics(&[comparison]);
        let metric = |name: &str| metrics.iter().find(|(found, _)| found == name).unwrap().1;
        assert!((metric("regs_vs_dlto") - 2.0).abs() < 1e-9);
        assert!((metric("p.bytes_vs_dlto") - 0.5).abs() < 1e-9);
    }

    #[test]
    fn instances_of_a_template_count_as_one_kernel() {
        let build = |f, g| {
            let kernels = [("f<int>", f), ("f<float>", f), ("g", g)];
            let kernels = kernels.map(|(name, registers)| (name.to_owned(), cost(registers, 0, 0)));
            Measured { image: Image { kernels: kernels.into(), ..Image::default() }, seconds: 1.0 }
        };
        let builds = [(Variant::Weft, build(20, 10)), (Variant::Dlto, build(10, 40))];
        let ratio =
            Comparison::of("p", Variant::Dlto, &builds).ratio("regs", Variant::Dlto).unwrap();
        assert!((ratio - 0.5_f64.sqrt()).abs() < 1e-9, "{ratio}");
    }
}
