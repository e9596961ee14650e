//! The comparison with an earlier build.

use weft_report::{Comparison, GoneKernel, KernelValues, ModuleChange};

use super::drawing::{Drawing, long};
use super::names;

/// Compares the program with an earlier build, in which some kernels were better or worse.
pub(super) fn draw(drawing: &mut Drawing) {
    let mut against = Comparison { title: "last week".to_owned(), ..Comparison::default() };
    for at in 0..drawing.report.kernels.len() {
        let change = match drawing.choices.below(40) {
            0 => "worse",
            1 | 2 => "better",
            3 => "mixed",
            4 => "new",
            _ => "same",
        };
        let kernel = &mut drawing.report.kernels[at];
        change.clone_into(&mut kernel.change);
        let count = match change {
            "worse" => &mut against.worse,
            "better" => &mut against.better,
            "mixed" => &mut against.mixed,
            "new" => &mut against.new,
            _ => &mut against.same,
        };
        *count += 1;
        let mut before = KernelValues::of(kernel);
        match change {
            "worse" => before.registers = before.registers.saturating_sub(6),
            "better" => before.registers += 6,
            "mixed" => {
                before.stack += 16;
                before.registers = before.registers.saturating_sub(2);
            }
            _ => {}
        }
        kernel.before = (change != "new").then_some(before);
    }
    let name = drawing.names.number("_ZN4mesh10old_kernelEPfi");
    let before = KernelValues { registers: 40, instructions: 300, ..KernelValues::default() };
    against.gone = vec![GoneKernel { name, architecture: "sm_90".to_owned(), before }];
    let units = drawing.report.modules.len();
    let bytes = |unit: usize| drawing.report.modules[unit].cubin_bytes;
    let change = |unit: usize| ModuleChange {
        id: names::unit(unit),
        architecture: "sm_90".to_owned(),
        change: ["plan", "code", "new"][unit / 17 % 3].to_owned(),
        cubin_bytes_before: bytes(unit).map(|bytes| bytes + 16 * long(unit)),
    };
    against.modules = (0..units).step_by(17).map(change).collect();
    let now = drawing.report.modules.iter().filter_map(|module| module.cubin_bytes).sum();
    against.cubin_bytes = Some((now + 40_000, now));
    against.image_bytes = Some((now + 30_000, now - 10_000));
    "The earlier values are those of another compiler".clone_into(&mut against.note);
    drawing.report.against = Some(against);
}
