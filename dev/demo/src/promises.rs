//! The promises of Weft that the demo checks.

use std::collections::BTreeSet;

use crate::measure::{Change, Measurement};
use dev_builds::Step;
use dev_sass::KernelCost;

/// Returns a sentence for each promise that does not hold.
pub(super) fn broken(measurement: &Measurement) -> Vec<String> {
    let mut broken = kernels(measurement);
    broken.extend(costs(measurement));
    broken.extend(nothing_ran(&measurement.changes.nothing));
    broken.extend(private_edit(&measurement.changes.private));
    broken.extend(shared_edit(measurement));
    if !measurement.changes.same_image_after_undo {
        broken.push("taking the edits back did not give the same image again".to_owned());
    }
    broken
}

/// Checks that the image has the kernels of NVIDIA's build without LTO, and none that the thin link
/// removed. nvlink, too, leaves out kernels that nothing in the host objects launches.
fn kernels(measurement: &Measurement) -> Vec<String> {
    let all: BTreeSet<&String> = measurement.images.rdc.kernels.keys().collect();
    let kept: BTreeSet<&String> = measurement.images.weft.kernels.keys().collect();
    let removed: BTreeSet<&String> = measurement.removed.iter().collect();
    let mut broken = Vec::new();
    if removed.is_empty() {
        broken.push("no kernel was removed, but the example has some that nothing launches".into());
    }
    for kernel in removed.intersection(&kept) {
        broken.push(format!("{kernel} was removed by the thin link, but is in the image"));
    }
    for kernel in all.difference(&kept) {
        broken.push(format!("{kernel} is missing in the image"));
    }
    let packed: BTreeSet<&String> = measurement.packed.image.kernels.keys().collect();
    for kernel in kept.symmetric_difference(&packed) {
        broken.push(format!("{kernel} is in one image of Weft's, with or without packed modules"));
    }
    for kernel in kept.difference(&all) {
        broken.push(format!("{kernel} is in the image, but nvlink left it out of its own"));
    }
    broken
}

/// Checks that a kernel with calls without LTO has fewer calls with Weft, and needs less stack.
fn costs(measurement: &Measurement) -> Vec<String> {
    let images = &measurement.images;
    let check = |(kernel, weft): (&String, &KernelCost)| {
        let rdc = images.rdc.kernels.get(kernel).filter(|rdc| rdc.calls > 0)?;
        let calls = (weft.calls >= rdc.calls).then_some(("CALLs", weft.calls, rdc.calls));
        let stack = weft.stack >= rdc.stack && rdc.stack > 0;
        let stack = stack.then_some(("bytes of stack", weft.stack, rdc.stack));
        let (what, weft, rdc) = calls.or(stack)?;
        Some(format!("{kernel} has {weft} {what}, and without LTO {rdc}"))
    };
    images.weft.kernels.iter().filter_map(check).collect()
}

fn nothing_ran(change: &Change) -> Option<String> {
    let build = &change.builds.weft;
    let logs = [&build.objects, &build.image, &build.program];
    let steps: Vec<String> = logs.iter().flat_map(|log| &log.steps).map(describe).collect();
    let message = || format!("a build with nothing edited ran {}", steps.join(", "));
    (!steps.is_empty()).then(message)
}

fn private_edit(change: &Change) -> Vec<String> {
    let Some((marker, unit)) = &change.edit else { return Vec::new() };
    let check = |verb: &str| {
        let units = change.builds.weft.image.units(verb);
        let message = || format!("{marker} in {unit} ran {verb} of {units:?}, not of it alone");
        (units != [unit]).then(message)
    };
    ["codegen", "assemble"].into_iter().filter_map(check).collect()
}

/// Checks that the jobs of some modules ran, and not those of all. The edited unit itself has no
/// job where all kernels that reach the function have copies of it.
fn shared_edit(measurement: &Measurement) -> Vec<String> {
    let change = &measurement.changes.shared;
    let Some((marker, unit)) = &change.edit else { return Vec::new() };
    let check = |verb: &str| {
        let units = change.builds.weft.image.units(verb);
        let is_right = (2..measurement.units.cuda.len()).contains(&units.len());
        let message = || {
            format!("{marker} in {unit} ran {verb} of {units:?}, not of the modules that use it")
        };
        (!is_right).then(message)
    };
    ["codegen", "assemble"].into_iter().filter_map(check).collect()
}

fn describe(step: &Step) -> String {
    format!("{} {}", step.verb, step.unit).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dev_sass::Image;

    fn image(kernels: &[&str]) -> Image {
        let kernels = kernels.iter().map(|name| ((*name).to_owned(), KernelCost::default()));
        Image { kernels: kernels.collect(), ..Image::default() }
    }

    #[test]
    fn nothing_is_broken_when_all_is_as_promised() {
        assert_eq!(broken(&Measurement::sample()), Vec::<String>::new());
    }

    type Spoil = fn(&mut Measurement);

    #[test]
    fn each_broken_promise_is_named() {
        let spoil: [(&str, Spoil); 9] = [
            ("dead was removed", |m| m.images.weft = image(&["dead", "live"])),
            ("live is missing", |m| m.images.weft = image(&[])),
            ("no kernel was removed", |m| m.removed.clear()),
            ("live has 7 CALLs, and without LTO 7", |m| {
                for image in [&mut m.images.rdc, &mut m.images.weft] {
                    let cost = KernelCost { calls: 7, ..KernelCost::default() };
                    image.kernels.insert("live".to_owned(), cost);
                }
            }),
            ("nothing edited ran codegen c.cu", |m| {
                m.changes.nothing = Change::sample("x", "c.cu", &["c.cu"]);
            }),
            ("private-edit in a.cu ran assemble", |m| {
                m.changes.private = Change::sample("private-edit", "a.cu", &["a.cu", "b.cu"]);
            }),
            ("private-edit in a.cu ran codegen of []", |m| {
                m.changes.private = Change::sample("private-edit", "a.cu", &[]);
            }),
            ("shared-edit in b.cu ran codegen", |m| {
                m.changes.shared = Change::sample("shared-edit", "b.cu", &["b.cu"]);
            }),
            ("the same image", |m| m.changes.same_image_after_undo = false),
        ];
        for (part, spoil) in spoil {
            let mut measurement = Measurement::sample();
            spoil(&mut measurement);
            let broken = broken(&measurement);
            assert!(broken.iter().any(|text| text.contains(part)), "{part:?}: {broken:?}");
        }
    }
}
