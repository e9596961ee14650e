//! Compares two linked programs: Weft's, and plain relocatable linking of the same objects.
//!
//! A wrong byte that nobody notices is the worst that a linker can do, and most programs cannot be run
//! where the tests run. What can be seen without running is compared: every entry that host code
//! registers, what a launch of each kernel may rely on, and what is in each variable. The plain side
//! is LLVM's code generator on each module alone, then ptxas and nvlink; it shares no code with Weft,
//! and images are read by a reader of its own. The code of Weft's kernels is compared with the cubins that
//! went into the final link.
//!
//! An optimiser that knows the whole program may shrink what only device code can see. So a difference
//! of a variable that the host does not know, or of shared memory, counts only if it is there without
//! optimisation, too. Shared memory that nvlink adds to kernels which cannot reach it does not count.

mod attributes;
mod code;
mod compare;
mod copies;
mod difference;
mod generator;
mod image;
mod inputs;
mod names;
mod plain;
mod ptx;
mod random;
mod reach;
mod relocatable;
mod runner;
mod transport;
mod weft;

pub use compare::{Expected, alignments, entries, kernels, managed, missing, surplus, variables};
pub use difference::{Aspect, Difference};
pub use image::{Image, Kernel, Memory, Pointer, Variable};
pub use inputs::{LinkInput, LinkInputKind, LinkInputs};
pub use ptx::{Declarations, Declared, Entry};
pub use random::check_random;
pub use runner::{Failure, check, check_program, run};
pub use transport::check_transport;

use crate::Workbench;

/// Links the program of `inputs`, whose files are in `bench`, both ways, and returns the
/// differences of the images. An error is a step that failed.
pub fn compare(bench: &Workbench, inputs: &LinkInputs) -> Result<Vec<Difference>, String> {
    if let Some(message) = &inputs.refused {
        return Ok(refusal(message, weft::link(bench, inputs).err()));
    }
    let plain = plain::link(bench, inputs)?;
    let ours = weft::link(bench, inputs)?;
    let used = inputs.launched.iter().chain(&inputs.touched).cloned().collect();
    let expected = Expected {
        registered: plain.registered.iter().cloned().collect(),
        removed: ours.removed.clone(),
        used,
    };
    if let Some(unknown) = expected.used.iter().find(|it| !plain.image.has(it)) {
        return Err(format!("host code is said to use {unknown}, which the plain image lacks"));
    }
    let mut found = missing(&expected, &ours.image);
    found.extend(surplus(&inputs.removed, &ours.image));
    found.extend(entries(&plain.declarations, &ours.declarations));
    found.extend(managed(&plain.declarations, &ours.declarations));
    let bounded = |it: &Image| plain.bounded(it, &ours.image);
    let rotated: Vec<_> = plain.rotated.iter().map(bounded).collect();
    let reachable = bounded(&plain.image);
    let of_images = |image: &Image| {
        let mut found = kernels(&reachable, &rotated, image);
        found.extend(variables(&plain.image, image, &plain.without_identity));
        found.extend(alignments(&plain.declarations, image));
        found
    };
    let mut of_image = of_images(&ours.image);
    let may_be_optimized = |it: &Difference| {
        it.aspect == Aspect::SharedMemory
            || it.aspect == Aspect::SharedAlignment
            || plain.image.variables_of(&names::original(&it.symbol)).next().is_some()
                && !expected.registered.contains(&it.symbol)
    };
    if of_image.iter().any(may_be_optimized) {
        let still = of_images(&weft::unoptimized(bench, inputs)?);
        of_image.retain(|it| {
            let again =
                |other: &Difference| (other.aspect, &other.symbol) == (it.aspect, &it.symbol);
            !may_be_optimized(it) || still.iter().any(again)
        });
    }
    found.extend(of_image);
    found.extend(ours.changes);
    found.sort();
    found.dedup();
    Ok(found)
}

/// Differences in the refusal of a program that Weft must refuse.
fn refusal(message: &str, said: Option<String>) -> Vec<Difference> {
    match said {
        Some(said) if said.contains(message) => Vec::new(),
        Some(said) => {
            let detail = format!("expected {message:?} in\n{said}");
            vec![Difference::new(Aspect::Refusal, "the program", detail)]
        }
        None => {
            let detail = format!("it was linked, expected a refusal with {message:?}");
            vec![Difference::new(Aspect::Refusal, "the program", detail)]
        }
    }
}
