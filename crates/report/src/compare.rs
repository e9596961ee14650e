//! Compares a build with an earlier one.
//!
//! A kernel gets worse by a value if its occupancy falls, or if its spills, its stack or the number
//! of its calls rise. Registers and shared memory of a block matter because they limit the
//! occupancy, so they count only where the occupancy is the same: a kernel that gets more warps by
//! fewer registers is better by one value, and one that takes more registers for the same warps
//! comes nearer to losing some. Instructions do not count: inlining and unrolling add instructions
//! and make a kernel faster. A value that either build lacks does not count, either.

use std::collections::BTreeMap;

use crate::data::{
    BuildReport, Comparison, GoneKernel, Image, Kernel, KernelValues, Module, ModuleChange,
};
use crate::names::NameTable;
use crate::values::Value;

/// Values that count by themselves.
const ALWAYS: [Value; 4] = [Value::Occupancy, Value::Spills, Value::Stack, Value::Calls];
/// Values that count where the occupancy is the same.
const BY_OCCUPANCY: [Value; 2] = [Value::Registers, Value::Shared];

const LINKED_BEFORE: &str = "The earlier values are those after linking, which adds what a kernel \
                             needs of other units, and those of this build are not: --image makes \
                             them so";
const LINKED_NOW: &str = "The values of this build are those after linking, which adds what a \
                          kernel needs of other units, and the earlier ones are not: make the \
                          earlier report with --image, too";

/// Fills in what `report` says about its difference to the build `earlier`, which is called
/// `title` if its report has no title.
///
/// Kernels are the same if they have the same mangled name and architecture, and modules if they
/// have the same id and architecture. An architecture without the letter of its variant is taken
/// for the same, as plain cubins do not have the letter.
pub fn compare(report: &mut BuildReport, earlier: &BuildReport, title: &str) {
    let title = if earlier.title.is_empty() { title } else { &earlier.title };
    let mut comparison = Comparison { title: title.to_owned(), ..Comparison::default() };
    compare_kernels(report, earlier, &mut comparison);
    compare_modules(report, earlier, &mut comparison);
    compare_images(report, earlier, &mut comparison);
    report.against = Some(comparison);
}

/// Returns what became of a kernel: `better`, `worse`, `mixed` or `same`.
fn judged(before: &KernelValues, now: &KernelValues) -> &'static str {
    let has_same_occupancy = before.warps.zip(now.warps).is_none_or(|(one, other)| one == other);
    let more = if has_same_occupancy { &BY_OCCUPANCY[..] } else { &[] };
    let (mut is_better, mut is_worse) = (false, false);
    for value in ALWAYS.iter().chain(more) {
        let Some((old, new)) = value.of(before).zip(value.of(now)) else { continue };
        is_better |= if value.is_better_when_more() { new > old } else { new < old };
        is_worse |= if value.is_better_when_more() { new < old } else { new > old };
    }
    match (is_better, is_worse) {
        (true, true) => "mixed",
        (true, false) => "better",
        (false, true) => "worse",
        (false, false) => "same",
    }
}

/// Returns an architecture without the letter of its variant.
fn plain(architecture: &str) -> &str {
    architecture.trim_end_matches(['a', 'f'])
}

/// Returns the architecture of a module; empty if the report says nothing about it.
fn architecture(report: &BuildReport, module: u32) -> &str {
    let module = report.modules.get(module as usize);
    link(report, module.map_or(u32::MAX, |module| module.link))
}

fn link(report: &BuildReport, link: u32) -> &str {
    report.links.get(link as usize).map_or("", |link| link.architecture.as_str())
}

fn compare_kernels(report: &mut BuildReport, earlier: &BuildReport, comparison: &mut Comparison) {
    let (found, gone) = pairs(report, earlier);
    for (kernel, found) in report.kernels.iter_mut().zip(found) {
        kernel.before = found.map(|at| KernelValues::of(&earlier.kernels[at]));
        let now = KernelValues::of(kernel);
        let change = kernel.before.map_or("new", |before| judged(&before, &now));
        change.clone_into(&mut kernel.change);
        *match change {
            "better" => &mut comparison.better,
            "worse" => &mut comparison.worse,
            "mixed" => &mut comparison.mixed,
            "new" => &mut comparison.new,
            _ => &mut comparison.same,
        } += 1;
    }
    let mut names = NameTable::of(std::mem::take(&mut report.names));
    for kernel in gone.into_iter().map(|at| &earlier.kernels[at]) {
        comparison.gone.push(GoneKernel {
            name: names.number(earlier.names.mangled(kernel.name)),
            architecture: architecture(earlier, kernel.module).to_owned(),
            before: KernelValues::of(kernel),
        });
    }
    report.names = names.into_names();
}

/// Returns for each kernel of `report` the position of the same kernel in the earlier build, and
/// the positions of those that are left, by architecture and name.
fn pairs(report: &BuildReport, earlier: &BuildReport) -> (Vec<Option<usize>>, Vec<usize>) {
    fn key<'all>(of: &'all BuildReport, kernel: &Kernel) -> (&'all str, &'all str) {
        (plain(architecture(of, kernel.module)), of.names.mangled(kernel.name))
    }
    fn id<'all>(of: &'all BuildReport, kernel: &Kernel) -> &'all str {
        of.modules.get(kernel.module as usize).map_or("", |module| &module.id)
    }
    // Modules may have kernels of one name, so there is a list for each.
    let mut known: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (at, kernel) in earlier.kernels.iter().enumerate() {
        known.entry(key(earlier, kernel)).or_default().push(at);
    }
    let mut found = vec![None; report.kernels.len()];
    // A kernel of the same module comes before one that has moved.
    for is_moved in [false, true] {
        for (kernel, found) in report.kernels.iter().zip(&mut found) {
            let all = known.get_mut(&key(report, kernel)).filter(|_| found.is_none());
            let Some(all) = all else { continue };
            let is_same = |at: usize| id(earlier, &earlier.kernels[at]) == id(report, kernel);
            let place = all.iter().position(|at| is_moved || is_same(*at));
            *found = place.map(|place| all.remove(place));
        }
    }
    (found, known.into_values().flatten().collect())
}

/// Lists the modules that differ, if both builds have plans.
fn compare_modules(report: &BuildReport, earlier: &BuildReport, comparison: &mut Comparison) {
    let has_plans =
        |all: &BuildReport| all.modules.iter().any(|module| !module.plan_digest.is_empty());
    if !has_plans(report) || !has_plans(earlier) {
        return;
    }
    let (old, new) = (by_place(earlier), by_place(report));
    let mut changes = Vec::new();
    for ((_, id), module) in &new {
        let before = old.get(&(plain(link(report, module.link)), *id));
        let is_other =
            |one: &str, other: &str| !one.is_empty() && !other.is_empty() && one != other;
        let change = match before {
            None => "new",
            Some(before) if before.plan_digest != module.plan_digest => "plan",
            Some(before) if is_other(&before.code_digest, &module.code_digest) => "code",
            Some(_) => continue,
        };
        changes.push((link(report, module.link), *id, change, before.copied()));
    }
    for ((place, id), module) in &old {
        if !new.contains_key(&(*place, *id)) {
            changes.push((link(earlier, module.link), *id, "gone", Some(*module)));
        }
    }
    comparison.modules = changes
        .into_iter()
        .map(|(architecture, id, change, before)| ModuleChange {
            id: id.to_owned(),
            architecture: architecture.to_owned(),
            change: change.to_owned(),
            cubin_bytes_before: before.and_then(|module| module.cubin_bytes),
        })
        .collect();
}

/// Returns modules by architecture and id.
fn by_place(all: &BuildReport) -> BTreeMap<(&str, &str), &Module> {
    let key = |module: &Module| plain(link(all, module.link));
    all.modules.iter().map(|module| ((key(module), module.id.as_str()), module)).collect()
}

fn compare_images(report: &mut BuildReport, earlier: &BuildReport, comparison: &mut Comparison) {
    // An architecture whose size is unknown in one of the builds has no part in the sums.
    let mut sums = [(0, 0); 2];
    let links = &report.links;
    for image in &mut report.images {
        let of = links.get(image.link as usize).map_or("", |link| link.architecture.as_str());
        let same = |before: &&Image| plain(link(earlier, before.link)) == plain(of);
        let Some(before) = earlier.images.iter().find(same) else { continue };
        let known = |bytes: u64| Some(bytes).filter(|bytes| *bytes > 0);
        image.cubin_bytes_before = known(before.cubin_bytes);
        image.image_bytes_before = before.image_bytes;
        let pairs = [
            image.cubin_bytes_before.zip(known(image.cubin_bytes)),
            before.image_bytes.zip(image.image_bytes),
        ];
        for (sum, pair) in sums.iter_mut().zip(pairs) {
            let (old, new) = pair.unwrap_or_default();
            *sum = (sum.0 + old, sum.1 + new);
        }
        comparison.note = match (before.image_bytes, image.image_bytes) {
            (Some(_), None) => LINKED_BEFORE.to_owned(),
            (None, Some(_)) => LINKED_NOW.to_owned(),
            _ => continue,
        };
    }
    let known = |(old, new): (u64, u64)| (old > 0 || new > 0).then_some((old, new));
    [comparison.cubin_bytes, comparison.image_bytes] = sums.map(known);
}

#[cfg(test)]
mod tests;
