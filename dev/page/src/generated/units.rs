//! Units with their definitions, their imports and their closed kernels.

use weft_report::{Candidate, Closure, Edge, Module, Sizes};

use super::drawing::{Drawing, long, small};
use super::names;

/// Units that all others use.
const SHARED: usize = 40;
/// Positions of fates in the words of a report.
mod fate {
    pub(super) const HOST: u8 = 2;
    pub(super) const VISIBLE: u8 = 8;
    pub(super) const THROUGH: u8 = 10;
    pub(super) const DEAD_WITH: u8 = 12;
    pub(super) const UNREFERENCED: u8 = 13;
    pub(super) const ONLY_COPIED: u8 = 14;
}

/// Draws all units. Each has kernels, functions and a variable, in this order.
pub(super) fn draw(drawing: &mut Drawing, kernel_count: usize, unit_count: usize) {
    let mut left = kernel_count;
    for unit in 0..unit_count {
        let rest = unit_count - unit;
        // The last unit takes what is left.
        let fair = left.div_ceil(rest);
        let spread = drawing.choices.below(3).min(left.saturating_sub(fair));
        let count = if rest == 1 { left } else { (fair + spread).saturating_sub(1).min(left) };
        left -= count;
        define(drawing, unit, count);
    }
    for unit in 0..unit_count {
        import(drawing, unit, unit_count);
    }
}

fn define(drawing: &mut Drawing, unit: usize, kernel_count: usize) {
    let functions = drawing.mostly_small(3, 14);
    let first = drawing.report.definitions.name.len();
    drawing.first.push(first);
    drawing.kernels_of.push(kernel_count);
    let mut add = |name: String, fate: u8, other: Option<usize>| {
        let definitions = &mut drawing.report.definitions;
        definitions.name.push(drawing.names.number(&name));
        definitions.module.push(small(unit));
        definitions.fate.push(fate);
        definitions.other.push(other.map_or(-1, |other| i64::from(small(other))));
    };
    for number in 0..kernel_count {
        let is_dead = (unit * 31 + number).is_multiple_of(37);
        let fate = if is_dead { fate::UNREFERENCED } else { fate::HOST };
        add(names::kernel(unit, number), fate, None);
    }
    for number in 0..functions {
        let name = names::function(unit, number);
        if kernel_count == 0 || (unit + number).is_multiple_of(9) {
            add(name, fate::ONLY_COPIED, None);
        } else if (unit * 7 + number).is_multiple_of(23) {
            add(name, fate::DEAD_WITH, Some(first));
        } else {
            // A chain of calls leads to a kernel.
            let caller = first + (number % kernel_count).max(number.saturating_sub(2));
            add(name, fate::THROUGH, Some(caller));
        }
    }
    add(names::variable(unit), fate::VISIBLE, None);
    let instructions = 120 * kernel_count + drawing.mostly_small(40, 4000);
    let sizes = |functions: usize, instructions: usize| Sizes {
        functions: long(functions),
        kernels: long(kernel_count),
        instructions: long(instructions),
        calls: long(functions * 3),
        indirect_calls: u64::from(unit.is_multiple_of(50)),
    };
    drawing.report.modules.push(Module {
        id: names::unit(unit),
        empty: kernel_count == 0,
        estimated_cost: long(instructions),
        before: Some(sizes(kernel_count + functions * 2, instructions)),
        after: Some(sizes(kernel_count + 1, instructions * 3 / 2)),
        ptx_bytes: Some(long(instructions * 37 + 410)),
        cubin_bytes: Some(long(instructions * 29 + 3210)),
        plan_digest: digest(unit),
        ..Module::default()
    });
}

/// Returns 64 digits, as a digest has them.
fn digest(unit: usize) -> String {
    let mut choices = dev_random::Choices::new(long(unit));
    [(); 4].map(|()| format!("{:016x}", choices.bits())).concat()
}

fn import(drawing: &mut Drawing, unit: usize, unit_count: usize) {
    let kernel_count = drawing.kernels_of[unit];
    if kernel_count == 0 {
        return;
    }
    let first = drawing.first[unit];
    let mut candidates = Vec::new();
    for _ in 0..drawing.mostly_small(5, 24) {
        // Most units are used by their own area, and a few by all.
        let source = if drawing.choices.one_in(3) {
            drawing.choices.below(SHARED.min(unit_count))
        } else {
            (unit + 20 * (1 + drawing.mostly_small(0, 9))) % unit_count
        };
        let end = drawing.first.get(source + 1).copied();
        let end = end.unwrap_or(drawing.report.definitions.name.len());
        let functions = drawing.first[source] + drawing.kernels_of[source]..end - 1;
        if source == unit || functions.is_empty() {
            continue;
        }
        for definition in functions.take(1 + drawing.mostly_small(0, 3)) {
            let cost = small(drawing.mostly_small(4, 700));
            let threshold = if drawing.choices.one_in(3) { 70 } else { 500 };
            candidates.push(Candidate {
                definition: small(definition),
                cost,
                refusal: if cost > threshold {
                    Some(0)
                } else {
                    drawing.choices.one_in(12).then_some(3)
                },
                caller: Some(small(first + drawing.choices.below(kernel_count))),
                level: small(drawing.mostly_small(0, 4)),
                threshold,
                class: 0,
                pass: u8::from(drawing.choices.one_in(3)),
            });
        }
    }
    candidates.sort_unstable_by_key(|candidate| candidate.definition);
    candidates.dedup_by_key(|candidate| candidate.definition);
    let imports = edges(drawing, &candidates);
    let closures = closures(drawing, unit);
    let module = &mut drawing.report.modules[unit];
    module.copied_functions = imports.iter().map(|edge| u64::from(edge.copies)).sum();
    module.imported_inlined = Some(module.copied_functions / 2);
    module.imports = imports;
    module.candidates = candidates;
    module.closures = closures;
}

/// Returns the imports that the candidates amount to.
fn edges(drawing: &Drawing, candidates: &[Candidate]) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    for candidate in candidates.iter().filter(|candidate| candidate.refusal.is_none()) {
        let source = drawing.report.definitions.module[candidate.definition as usize];
        match edges.last_mut() {
            Some(edge) if edge.source == source => edge.symbols += 1,
            _ => edges.push(Edge { source, symbols: 1, copies: 0 }),
        }
    }
    for edge in &mut edges {
        edge.copies = edge.symbols / 2;
    }
    edges
}

fn closures(drawing: &mut Drawing, unit: usize) -> Vec<Closure> {
    let first = drawing.first[unit];
    let live: Vec<usize> = (first..first + drawing.kernels_of[unit])
        .filter(|at| drawing.report.definitions.fate[*at] == fate::HOST)
        .collect();
    let mut closures = Vec::new();
    for kernel in live {
        // A pointer has no callee.
        let exit = drawing.choices.one_in(9).then(|| u8::from(drawing.choices.one_in(2)) * 2 + 2);
        let exit = exit.map(|exit| if exit == 4 { 4 } else { 2 });
        let callee = drawing.report.definitions.name[drawing.first[0] + 4];
        closures.push(Closure {
            kernel: small(kernel),
            functions: small(drawing.mostly_small(0, 20)),
            instructions: small(drawing.mostly_small(30, 3000)),
            exit,
            caller: exit.map(|_| small(kernel)),
            callee: exit.filter(|exit| *exit == 2).map(|_| callee),
        });
    }
    closures
}
