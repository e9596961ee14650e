//! The virtual architecture of the linked image.
//!
//! A cubin states the virtual architecture that its code was compiled for, and nvlink gives the
//! image the lowest of all. At run time a kernel reports it as its PTX version. CUB chooses kernels
//! by that version, so in an image that one old object lowered, CUB may launch kernels that nobody
//! compiled. The modules' own code is for the architecture of the link, so opaque code alone can
//! lower it.
//!
//! Cost: images without bitcode.

use weft_artifact::{OpaqueImage, OpaqueKind, architecture_number};

use crate::model::program::PackedUnit;

/// Returns a warning about the unit that lowers the virtual architecture of the image for
/// `architecture` the most.
pub(crate) fn warning(units: &[&PackedUnit], architecture: &str) -> Option<String> {
    let own = architecture_number(architecture)?;
    let lower = units.iter().filter_map(|unit| Some((lowest(unit, own)?, unit)));
    let lower: Vec<_> = lower.filter(|(number, _)| *number < own).collect();
    let (number, unit) = lower.iter().min_by_key(|(number, _)| number)?;
    let path = unit.path.display();
    let more = match lower.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let name = architecture.trim_start_matches("sm_");
    Some(format!(
        "{path}{more} was compiled for compute_{number}, and nvlink gives the whole image the \
         lowest virtual architecture: kernels then state {number} as their version of PTX, by \
         which CUB chooses among them. Compile it with -gencode arch=compute_{name},code=sm_{name}"
    ))
}

/// Returns the lowest virtual architecture of the images that nvlink takes from a unit for the
/// architecture `own`: machine code for it, or else for an older one of its family, or else PTX.
fn lowest(unit: &PackedUnit, own: u32) -> Option<u32> {
    let distance = |image: &OpaqueImage| {
        let of = architecture_number(&image.architecture)?;
        match image.kind {
            OpaqueKind::Cubin if of / 10 == own / 10 => own.checked_sub(of),
            OpaqueKind::Ptx => Some(u32::MAX),
            _ => None,
        }
    };
    let images = unit.opaque.iter();
    let images = images.filter_map(|image| Some((distance(image)?, image.virtual_architecture?)));
    images.min().map(|(_, number)| number)
}
