//! The report of a job as a table.

use std::fmt::Write as _;

use weft_job::{JobReport, KernelReport, ModuleReport, OptimizedReport, Spills, Trial};
use weft_report::Occupancy;

/// Returns the table for people.
pub(crate) fn table(report: &JobReport) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    for module in &report.modules {
        let ModuleReport { architecture, partitions, optimized } = module;
        let _ = match optimized {
            None => writeln!(text, "{architecture}: code whose making is not known"),
            Some(optimized) => {
                let optimized = in_words(optimized);
                writeln!(text, "{architecture}: {optimized}, {partitions} partition(s)")
            }
        };
    }
    if !report.kernels.is_empty() {
        let _ = writeln!(text, "{}", columns());
    }
    for kernel in &report.kernels {
        let _ = writeln!(text, "{}", row(kernel));
    }
    let searches = report.cubins.iter().filter_map(|cubin| cubin.search.as_ref());
    for trial in searches.flat_map(|search| &search.trials) {
        let _ = writeln!(text, "{}", tried(trial));
    }
    for message in &report.messages {
        let _ = writeln!(text, "{message}");
    }
    for phase in &report.phases {
        let _ = writeln!(text, "{:>9.3} s  {}", phase.seconds, phase.name);
    }
    text
}

fn in_words(optimized: &OptimizedReport) -> String {
    let OptimizedReport { imported, before, after, .. } = optimized;
    format!(
        "{imported} bodies for inlining, {} -> {} functions, {} -> {} calls, \
         {} -> {} instructions",
        before.functions,
        after.functions,
        before.calls,
        after.calls,
        before.instructions,
        after.instructions,
    )
}

/// Returns the head of a table of kernels.
fn columns() -> String {
    format!(
        "{:>9} {:>5} {:>6} {:>6} {:>7} {:>8} {:>4} {:>7} {:>7} {:>8}  occupancy                \
         kernel",
        "arch", "regs", "stack", "spill", "shared", "const", "bar", "global", "t/s/s", "ms"
    )
}

fn row(kernel: &KernelReport) -> String {
    let resources = &kernel.resources;
    let milliseconds = |seconds: f64| format!("{:.1}", seconds * 1000.0);
    let spilled = |spills: Spills| (spills.spill_store_bytes + spills.spill_load_bytes).to_string();
    format!(
        "{:>9} {:>5} {:>6} {:>6} {:>7} {:>8} {:>4} {:>7} {:>7} {:>8}  {:<24} {}",
        kernel.architecture,
        resources.registers,
        resources.stack_bytes,
        kernel.spills.map_or_else(|| "?".to_owned(), spilled),
        resources.shared_bytes,
        resources.constant_bytes.values().sum::<u64>(),
        resources.barriers,
        resources.global_bytes,
        format!("{}/{}/{}", resources.textures, resources.surfaces, resources.samplers),
        kernel.compile_seconds.map_or_else(|| "?".to_owned(), milliseconds),
        kernel.occupancy.as_ref().map_or_else(|| "unknown".to_owned(), warps),
        resources.name,
    )
}

fn warps(occupancy: &Occupancy) -> String {
    format!("{}/{} warps ({})", occupancy.warps, occupancy.of_warps, occupancy.limited_by)
}

fn tried(trial: &Trial) -> String {
    let Trial { mode, register_limits, cost_per_mille, is_better } = trial;
    let limits: Vec<_> =
        register_limits.iter().map(|(kernel, limit)| format!("{kernel}: {limit}")).collect();
    let limits = match limits.as_slice() {
        [] => String::new(),
        limits => format!(", registers limited to {}", limits.join(", ")),
    };
    let cost = match cost_per_mille {
        Some(cost) => format!("{}.{:03}", cost / 1000, cost % 1000),
        None => "not possible".to_owned(),
    };
    let taken = if *is_better { " (better)" } else { "" };
    format!("tried {mode}{limits}: cost {cost}{taken}")
}
