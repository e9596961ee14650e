//! The two links of a program, and all differences between them.

use super::compare::{
    Expected, alignments, entries, kernels, managed, missing, surplus, variables,
};
use super::difference::{Aspect, Difference};
use super::image::Image;
use super::inputs::LinkInputs;
use super::{names, plain, weft};
use crate::Workbench;

/// Links the program of `inputs`, whose files are in `bench`, both ways, and returns the
/// differences of the images. An error describes a step that failed.
pub fn compare(bench: &Workbench, inputs: &LinkInputs) -> Result<Vec<Difference>, String> {
    if let Some(message) = &inputs.refused {
        return Ok(refusal(message, weft::link(bench, inputs).err()));
    }
    let mut plain = plain::link(bench, inputs)?;
    let mut ours = weft::link(bench, inputs)?;
    if inputs.job.iter().any(|option| option == "--search") {
        // A search gives kernels limits of registers, which the plain link has no reason for.
        plain.image.forget_register_limits();
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
        found.extend(variables(&plain.image, image, &plain.without_identity));
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
