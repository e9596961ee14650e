//! Device code without bitcode, and what it keeps alive.

use std::collections::BTreeSet;

use weft_artifact::{OpaqueImage, OpaqueKind, Summary};
use weft_report::{Definitions, NameTable, Opaque};

/// Returns the opaque code of a unit, for each architecture that it is for: `is_for` says whether
/// an image is for the architecture at hand, and `defined` are the names that the program defines.
pub(super) fn opaque(
    summary: &Summary,
    is_for: impl Fn(&str) -> bool,
    defined: &BTreeSet<u32>,
    names: &NameTable,
) -> Option<Opaque> {
    let images: Vec<&OpaqueImage> =
        summary.opaque.iter().filter(|image| is_for(&image.architecture)).collect();
    if images.is_empty() {
        return None;
    }
    let kinds: BTreeSet<&str> = images.iter().map(|image| kind(image.kind)).collect();
    let symbols = images.iter().filter_map(|image| image.symbols.as_ref());
    let needs = symbols.flat_map(|symbols| &symbols.needs).filter_map(|name| names.find(name));
    let keeps: BTreeSet<u32> = needs.filter(|name| defined.contains(name)).collect();
    Some(Opaque {
        unit: summary.module_id.to_string(),
        kinds: kinds.into_iter().map(str::to_owned).collect(),
        keeps: keeps.into_iter().collect(),
    })
}

/// Returns the names that the modules of a link define.
pub(super) fn defined(
    definitions: &Definitions,
    is_of_link: impl Fn(u32) -> bool,
) -> BTreeSet<u32> {
    let pairs = definitions.name.iter().zip(&definitions.module);
    pairs.filter(|(_, module)| is_of_link(**module)).map(|(name, _)| *name).collect()
}

fn kind(kind: OpaqueKind) -> &'static str {
    match kind {
        OpaqueKind::Cubin => "cubin",
        OpaqueKind::Ptx => "PTX",
        OpaqueKind::NvidiaLtoIr => "NVIDIA LTO IR",
        OpaqueKind::Fatbin => "fat binary",
        OpaqueKind::Object => "object",
    }
}
