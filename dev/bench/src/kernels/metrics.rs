//! The metrics that Weft's kernels are held to, over the programs that were built.
//!
//! Programs count alike, and so do the kernels of a program, each instance of a template for
//! itself.
//!
//! | metric | over the kernels of a program | over programs |
//! |---|---|---|
//! | `regs_geomean` | geometric mean of the ratios of registers | geometric mean |
//! | `regs_worst_program` | geometric mean of the ratios of registers | largest |
//! | `instructions_geomean` | geometric mean of the ratios of instructions | geometric mean |
//! | `static_cycles_geomean` | geometric mean of the ratios of weighted stalls | geometric mean |
//! | `stack_worst_program` | ratio of the sums of stack | largest |
//! | `local_worst_program` | ratio of the sums of local loads and stores | largest |
//! | `calls_worst_program` | ratio of the sums of CALLs | largest |
//! | `occupancy_lost`, `occupancy_won` | share with fewer, with more warps | share of all kernels |
//! | `cpu_geomean` | ratio of the processor times of the device link | geometric mean |
//!
//! A ratio is Weft's figure divided by that of the other build. Sums may be 0, so something small
//! is added to both sides of their ratios: one call, one access, or sixteen bytes of stack. So the
//! ratio of nothing to nothing is 1, and whether a ratio is above 1 does not change. Registers,
//! instructions and cycles are never 0.
//!
//! Each metric is also printed for each program alone, as `PROGRAM.METRIC`. Two metrics are of one
//! program:
//!
//! | metric | figure |
//! |---|---|
//! | `longest_job_share` | share of the longest job in the device link of the generated program |
//! | `nvshmem_ring_regs` | registers of the kernel `ring` in the program nvshmem |
//!
//! A job is the import, codegen and assembly of one module, which run one after the other: no farm
//! can speed up a link by more than the inverse of the longest job's share of all processor time.

use super::pairs::{Pair, Side};
use crate::figures::{geometric_mean, number};
use dev_sass::KernelCost;

/// A program that was built in both ways.
pub(crate) struct Built {
    pub(crate) program: &'static str,
    pub(crate) pairs: Vec<Pair>,
    /// Seconds of processor time of the device links: of Weft's and of the other.
    pub(crate) seconds: (f64, f64),
}

type Part = fn(&KernelCost) -> u64;
/// A predicate over Weft's side of a kernel and the other side.
type Comparison = fn(Side, Side) -> bool;

/// Costs whose ratios go into a mean.
const MEANS: [(&str, Part); 3] = [
    ("regs", |cost| cost.registers),
    ("instructions", |cost| cost.instructions),
    ("static_cycles", |cost| cost.cycles),
];

/// Costs that are summed, and the amount that is added to both sides of their ratio.
const SUMS: [(&str, Part, f64); 3] = [
    ("stack", |cost| cost.stack, 16.0),
    ("local", |cost| cost.local_accesses, 1.0),
    ("calls", |cost| cost.calls, 1.0),
];

/// Returns all metrics, as names without `kernels.` and values.
pub(crate) fn metrics(built: &[Built]) -> Vec<(String, f64)> {
    let mut metrics = Vec::new();
    let mut each = |name: &str, of: &dyn Fn(&Built) -> f64| -> Vec<f64> {
        let values: Vec<f64> = built.iter().map(of).collect();
        let named = built.iter().zip(&values);
        metrics
            .extend(named.map(|(program, value)| (format!("{}.{name}", program.program), *value)));
        values
    };
    let mut over_programs: Vec<(String, f64)> = Vec::new();
    for (name, part) in MEANS {
        let metric = format!("{name}_geomean");
        let values = each(&metric, &|program| mean(&program.pairs, part));
        if name == "regs" {
            over_programs.push(("regs_worst_program".to_owned(), largest(&values)));
        }
        over_programs.push((metric, geometric_mean(values)));
    }
    for (name, part, shift) in SUMS {
        let values = each(name, &|program| ratio_of_sums(&program.pairs, part, shift));
        over_programs.push((format!("{name}_worst_program"), largest(&values)));
    }
    let all: Vec<Pair> = built.iter().flat_map(|program| program.pairs.iter().cloned()).collect();
    let comparisons: [(&str, Comparison); 2] = [
        ("occupancy_lost", |weft, other| weft.warps < other.warps),
        ("occupancy_won", |weft, other| weft.warps > other.warps),
    ];
    for (name, is_so) in comparisons {
        each(name, &|program| share(&program.pairs, is_so));
        over_programs.push((name.to_owned(), share(&all, is_so)));
    }
    let values = each("cpu", &|program| program.seconds.0 / program.seconds.1);
    over_programs.push(("cpu_geomean".to_owned(), geometric_mean(values)));
    metrics.extend(over_programs);
    metrics
}

/// Returns the geometric mean of the ratios of a cost.
fn mean(pairs: &[Pair], part: Part) -> f64 {
    let of = |side: &Side| number(part(&side.cost).max(1));
    geometric_mean(pairs.iter().map(|pair| of(&pair.weft) / of(&pair.other)))
}

/// Returns the ratio of the sums of a cost, with `shift` added to both.
fn ratio_of_sums(pairs: &[Pair], part: Part, shift: f64) -> f64 {
    let sum = |side: fn(&Pair) -> Side| {
        pairs.iter().map(|pair| number(part(&side(pair).cost))).sum::<f64>() + shift
    };
    sum(|pair| pair.weft) / sum(|pair| pair.other)
}

/// Returns the share of kernels for which a predicate holds; 0 if there is no kernel.
fn share(pairs: &[Pair], is_so: Comparison) -> f64 {
    let count = pairs.iter().filter(|pair| is_so(pair.weft, pair.other)).count();
    if pairs.is_empty() { 0.0 } else { number(count as u64) / number(pairs.len() as u64) }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

/// Returns the share of the longest job in the time of all; 0 if there is no job.
pub(crate) fn longest_share(jobs: impl IntoIterator<Item = f64>, all: f64) -> f64 {
    let longest = jobs.into_iter().fold(0.0, f64::max);
    if all > 0.0 { longest / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(registers: u64, stack: u64, calls: u64, cycles: u64, warps: u64) -> Side {
        let instructions = registers;
        let cost =
            KernelCost { registers, stack, calls, instructions, cycles, ..KernelCost::default() };
        Side { cost, warps }
    }

    fn built(program: &'static str, pairs: &[(Side, Side)], seconds: (f64, f64)) -> Built {
        let pair = |(weft, other): &(Side, Side)| Pair {
            name: "k".to_owned(),
            weft: *weft,
            other: *other,
        };
        Built { program, pairs: pairs.iter().map(pair).collect(), seconds }
    }

    fn value(metrics: &[(String, f64)], name: &str) -> f64 {
        metrics.iter().find(|(found, _)| found == name).unwrap_or_else(|| panic!("{name}")).1
    }

    #[test]
    fn programs_and_kernels_count_alike() {
        let programs = [
            built(
                "one",
                &[
                    (side(40, 0, 0, 800, 32), side(10, 0, 0, 100, 64)),
                    (side(10, 16, 1, 100, 64), side(10, 0, 0, 100, 32)),
                ],
                (1.0, 4.0),
            ),
            built("two", &[(side(8, 0, 3, 10, 8), side(16, 48, 7, 40, 8))], (4.0, 4.0)),
        ];
        let metrics = metrics(&programs);
        for (name, expected) in [
            ("one.regs_geomean", 2.0),
            ("two.regs_geomean", 0.5),
            ("regs_geomean", 1.0),
            ("regs_worst_program", 2.0),
            ("instructions_geomean", 1.0),
            ("static_cycles_geomean", (8.0_f64.sqrt() * 0.25).sqrt()),
            ("one.stack", 2.0),
            ("two.stack", 0.25),
            ("stack_worst_program", 2.0),
            ("calls_worst_program", 2.0),
            ("two.calls", 0.5),
            ("local_worst_program", 1.0),
            ("one.occupancy_lost", 0.5),
            ("occupancy_lost", 1.0 / 3.0),
            ("occupancy_won", 1.0 / 3.0),
            ("one.cpu", 0.25),
            ("cpu_geomean", 0.5),
        ] {
            let value = value(&metrics, name);
            assert!((value - expected).abs() < 1e-9, "{name} {value}");
        }
    }

    #[test]
    fn nothing_by_nothing_is_one_and_something_by_nothing_is_more() {
        let pair = |weft, other| built("p", &[(weft, other)], (1.0, 1.0)).pairs;
        let (none, some) = (side(1, 0, 0, 1, 1), side(1, 32, 0, 1, 1));
        let ratio = |pairs: &[Pair]| ratio_of_sums(pairs, |cost| cost.stack, 16.0);
        assert!((ratio(&pair(none, none)) - 1.0).abs() < 1e-9);
        assert!((ratio(&pair(some, none)) - 3.0).abs() < 1e-9);
        assert!((ratio(&pair(none, some)) - 1.0 / 3.0).abs() < 1e-9);
        assert!(share(&[], |_, _| true).abs() < 1e-9);
    }

    #[test]
    fn the_longest_job_has_a_share_of_all_time() {
        assert!((longest_share([1.0, 3.0, 2.0], 12.0) - 0.25).abs() < 1e-9);
        assert!(longest_share([], 0.0).abs() < 1e-9);
    }
}
