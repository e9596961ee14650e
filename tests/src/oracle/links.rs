//! The two links of a program, and all differences between them.

use super::compare::{
    Expected, alignments, entries, kernels, managed, missing, surplus, variables,
};
use super::difference::{Aspect, Difference};
use super::image::Image;
use super::inputs::LinkInputs;
use super::plain::{self, Plain};
use super::{names, weft};
use crate::Workbench;

/// Links the program of `inputs`, whose files are in `bench`, both ways, and returns the
/// differences of the images. An error describes a step that failed.
pub fn compare(bench: &Workbench, inputs: &LinkInputs) -> Result<Vec<Difference>, String> {
    match &inputs.refused {
        Some(message) => Ok(refusal(message, weft::link(bench, inputs).err())),
        None => against(&linked_plainly(bench, inputs)?, bench, inputs),
    }
}

/// Does the same for each of some lists of options of `thinlink`, with one plain link for all.
pub(crate) fn compare_with_each(
    bench: &Workbench,
    inputs: &LinkInputs,
    lists: &[&[&str]],
) -> Result<Vec<Difference>, String> {
    let plain = match inputs.refused {
        Some(_) => None,
        None => Some(linked_plainly(bench, inputs)?),
    };
    let mut found = Vec::new();
    for options in lists {
        let mut inputs = inputs.clone();
        inputs.thinlink.extend(options.iter().map(|&option| option.to_owned()));
        let differences = match &plain {
            Some(plain) => against(plain, bench, &inputs),
            None => compare(bench, &inputs),
        };
        let said = |what: &str| format!("with {options:?}: {what}");
        let differences = differences.map_err(|story| said(&story))?;
        found.extend(differences.into_iter().map(|difference| {
            let detail = said(&difference.detail);
            Difference { detail, ..difference }
        }));
    }
    Ok(found)
}

fn linked_plainly(bench: &Workbench, inputs: &LinkInputs) -> Result<Plain, String> {
    let mut plain = plain::link(bench, inputs)?;
    if searches(inputs) {
        plain.image.forget_register_limits();
    }
    Ok(plain)
}

/// Whether kernels get limits of registers, which a plain link never sets.
fn searches(inputs: &LinkInputs) -> bool {
    inputs.job.iter().any(|option| option == "--search")
}

/// Links a program through Weft and compares the image with that of its plain link.
fn against(
    plain: &Plain,
    bench: &Workbench,
    inputs: &LinkInputs,
) -> Result<Vec<Difference>, String> {
    let mut ours = weft::link(bench, inputs)?;
    if searches(inputs) {
        ours.image.forget_register_limits();
    }
    let used = inputs.launched.iter().chain(&inputs.touched).cloned().collect();
    let expected = Expected {
        registered: plain.registered.iter().cloned().collect(),
        removed: ours.removed.clone(),
        used,
    };
    if let Some(unknown) = expected.used.iter().find(|symbol| !plain.image.has(symbol)) {
        return Err(format!("host code is said to use {unknown}, which the plain image lacks"));
    }
    let mut found = missing(&expected, &ours.image);
    found.extend(surplus(&inputs.removed, &ours.image));
    found.extend(entries(&plain.declarations, &ours.declarations));
    found.extend(managed(&plain.declarations, &ours.declarations));
    let bounded = |image: &Image| plain.bounded(image, &ours.image);
    let rotated: Vec<_> = plain.rotated.iter().map(bounded).collect();
    let reachable = bounded(&plain.image);
    let of_images = |image: &Image| {
        let mut found = kernels(&reachable, &rotated, image);
        let moves_constants = ours.moves_constants;
        let without_identity = &plain.without_identity;
        found.extend(variables(&plain.image, image, without_identity, moves_constants));
        found.extend(alignments(&plain.declarations, image));
        found
    };
    let mut of_image = of_images(&ours.image);
    let may_be_optimized = |difference: &Difference| {
        difference.aspect == Aspect::SharedMemory
            || difference.aspect == Aspect::SharedAlignment
            || plain.image.variables_of(&names::original(&difference.symbol)).next().is_some()
                && !expected.registered.contains(&difference.symbol)
    };
    if of_image.iter().any(may_be_optimized) {
        let still = of_images(&weft::unoptimized(bench, inputs)?);
        of_image.retain(|difference| {
            let again = |other: &Difference| {
                (other.aspect, &other.symbol) == (difference.aspect, &difference.symbol)
            };
            !may_be_optimized(difference) || still.iter().any(again)
        });
    }
    found.extend(of_image);
    found.extend(ours.changes);
    found.sort();
    found.dedup();
    Ok(found)
}

/// Finds differences in the refusal of a program that Weft must refuse.
fn refusal(message: &str, actual: Option<String>) -> Vec<Difference> {
    match actual {
        Some(actual) if actual.contains(message) => Vec::new(),
        Some(actual) => {
            let detail = format!("expected {message:?} in\n{actual}");
            vec![Difference::new(Aspect::Refusal, "the program", detail)]
        }
        None => {
            let detail = format!("it was linked, expected a refusal with {message:?}");
            vec![Difference::new(Aspect::Refusal, "the program", detail)]
        }
    }
}
