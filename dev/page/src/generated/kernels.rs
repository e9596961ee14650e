//! Kernels with their resources, and the inliner's decisions about them.

use weft_report::{InlineSite, Kernel, Occupancy};

use super::drawing::{Drawing, long, small};

/// Reasons, advice and messages.
pub(super) const TEXTS: [&str; 7] = [
    "it costs no more than it may",
    "it costs more than it may",
    "Raise --inline-threshold, or mark its definition __forceinline__.",
    "attributes forbid it: noinline function attribute",
    "Take __noinline__ off its definition.",
    "its definition is not in the module",
    "ptxas warning: Local memory used for function",
];
/// Number of registers of a multiprocessor.
const REGISTERS: usize = 65_536;

/// Draws the kernels, those with the lowest occupancy first.
pub(super) fn draw(drawing: &mut Drawing) {
    for unit in 0..drawing.report.modules.len() {
        for number in 0..drawing.kernels_of[unit] {
            let kernel = kernel(drawing, unit, drawing.first[unit] + number);
            drawing.report.kernels.push(kernel);
        }
        let sites = sites(drawing, unit);
        drawing.report.modules[unit].sites = sites;
        if unit.is_multiple_of(60) {
            drawing.report.messages.push((small(unit), 6));
        }
    }
    let warps = |kernel: &Kernel| kernel.occupancy.as_ref().map_or(0, |occupancy| occupancy.warps);
    drawing.report.kernels.sort_by_key(warps);
}

fn kernel(drawing: &mut Drawing, unit: usize, definition: usize) -> Kernel {
    let registers = drawing.mostly_small(10, 255);
    let shared = if drawing.choices.one_in(4) { 1024 << drawing.choices.below(6) } else { 0 };
    let spills = if registers > 180 { 8 * drawing.mostly_small(1, 60) } else { 0 };
    let instructions = drawing.mostly_small(24, 6000);
    let calls = if drawing.choices.one_in(8) {
        let other = drawing.choices.below(drawing.report.definitions.name.len());
        vec![drawing.report.definitions.name[other]]
    } else {
        Vec::new()
    };
    Kernel {
        name: drawing.report.definitions.name[definition],
        module: small(unit),
        registers: small(registers),
        stack: small(if calls.is_empty() { spills } else { spills + 8 }),
        spill_stores: Some(long(spills)),
        spill_loads: Some(long(spills * 3 / 2)),
        shared: long(shared),
        constant: [("0".to_owned(), 528 + long(drawing.choices.below(9) * 8))].into(),
        max_threads: drawing.choices.one_in(3).then_some(256),
        occupancy: Some(occupancy(registers, shared)),
        instructions: long(instructions),
        sass_bytes: long(instructions * 16 + 128),
        ptx_bytes: Some(long(instructions * 41 + 300)),
        calls_indirectly: drawing.choices.one_in(60),
        calls,
        ..Kernel::default()
    }
}

/// Returns the occupancy with blocks of 8 warps on a multiprocessor that holds 64.
fn occupancy(registers: usize, shared: usize) -> Occupancy {
    let by_registers = REGISTERS / (registers.next_multiple_of(8) * 32) / 8 * 8;
    let by_shared = if shared == 0 { 64 } else { 233_472 / (shared + 1024) * 8 };
    let (warps, limited_by) =
        [(64, "warps"), (by_registers, "registers"), (by_shared, "shared memory")]
            .into_iter()
            .min_by_key(|(warps, _)| *warps)
            .unwrap_or((64, "warps"));
    Occupancy {
        block_threads: 256,
        warps: small(warps),
        of_warps: 64,
        limited_by: limited_by.to_owned(),
    }
}

/// Draws what the inliner decided: kernels call functions of the unit and imported ones, and these
/// call each other.
fn sites(drawing: &mut Drawing, unit: usize) -> Vec<InlineSite> {
    let (first, kernels) = (drawing.first[unit], drawing.kernels_of[unit]);
    let end = drawing.first.get(unit + 1).copied();
    let end = end.unwrap_or(drawing.report.definitions.name.len()) - 1;
    let module = &drawing.report.modules[unit];
    let imported = module.candidates.iter().filter(|candidate| candidate.refusal.is_none());
    let mut callees: Vec<usize> = (first + kernels..end).collect();
    callees.extend(imported.map(|candidate| candidate.definition as usize));
    let mut made = Vec::new();
    for caller in 0..callees.len() {
        for _ in 0..drawing.mostly_small(0, 3) {
            let later = callees.len() - caller;
            let callee = caller + drawing.choices.below(later);
            if callee != caller {
                made.push(site(drawing, unit, callees[caller], callees[callee]));
            }
        }
    }
    for kernel in first..first + kernels {
        for _ in 0..drawing.mostly_small(5, 30) {
            if let Some(callee) = drawing.choices.choose(&callees).copied() {
                made.push(site(drawing, unit, kernel, callee));
            }
        }
    }
    made
}

fn site(drawing: &mut Drawing, unit: usize, from: usize, to: usize) -> InlineSite {
    let definitions = &drawing.report.definitions;
    let (names, module) = ([definitions.name[from], definitions.name[to]], definitions.module[to]);
    let inlined = !drawing.choices.one_in(11);
    let (reason, advice) = match (inlined, drawing.choices.below(2)) {
        (true, _) => (0, -1),
        (false, 0) => (1, 2),
        (false, _) => (3, 4),
    };
    let cost = i64::from(small(drawing.mostly_small(0, 400))) * 5 - 30;
    InlineSite {
        caller: names[0],
        callee: names[1],
        inlined,
        origin: (module as usize != unit).then_some(module),
        reason,
        cost: if reason == 1 { cost + 16_800 } else { cost },
        limit: if reason == 3 {
            0
        } else {
            16_800 - 45 * i64::from(small(drawing.choices.below(20)))
        },
        instructions: if inlined { cost.max(0) / 5 } else { -1 },
        advice,
    }
}
