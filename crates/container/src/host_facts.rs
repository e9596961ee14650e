//! The facts about device code that a unit's host object states.
//!
//! clang registers each kernel and device variable with an *offload entry*: a record in section
//! `llvm_offload_entries`, before clang 21 in `cuda_offloading_entries`, that ties a host symbol (a
//! kernel's stub, a variable's shadow) to a device name. Launching a kernel, taking its address or
//! copying to a variable is a relocation against the host symbol. Two kinds of relocation prove
//! nothing: those of the entries themselves, and a stub's own, since every stub passes its own
//! address to the runtime.
//!
//! A host symbol may have further names (aliases), and a reference to any of them is a reference to
//! the symbol. So it has an entry for each name ([`names`]).
//!
//! A symbol with invisible references counts as referenced. The assembler resolves references to a
//! *local* symbol of the same section without a relocation, so the entries of local symbols are
//! marked, and [`definitions`] finds where the same may have happened to global ones. An object
//! that a compiler left for its own link-time optimization holds no code, so its host side is
//! unknown.
//!
//! If the unit is a member of an archive, the host linker decides whether it is in the program at
//! all. The symbols that determine this are facts, too ([`link`]).
//!
//! A shared library's host symbols are open to other files of the process unless they are hidden,
//! which [`hidden`] finds.
//!
//! nvcc writes no entries. Its six *host reference tables*, which [`named`] reads, list the device
//! names that the unit's host code refers to.

mod definitions;
pub(crate) mod entries;
mod error;
mod hidden;
mod link;
mod named;
mod names;
mod references;
pub(crate) mod symbols;
mod unfinished;

use object::{Object as _, ObjectKind};
use weft_artifact::HostFacts;

use crate::cubin::is_cubin;
use names::Names;
use symbols::File;

pub use error::HostFactsError;

/// Returns the host facts of `unit`; `None` if its host code is unknown, because the unit is no
/// object or its host code is still to be compiled.
pub fn host_facts(unit: &[u8]) -> Result<Option<HostFacts>, HostFactsError> {
    if !unit.starts_with(b"\x7FELF") || is_cubin(unit) {
        return Ok(None);
    }
    let file = File::parse(unit)?;
    if file.kind() != ObjectKind::Relocatable {
        return Err(HostFactsError::Linked);
    }
    if unfinished::is_unfinished(&file)? {
        return Ok(None);
    }
    let (entries, registered) = entries::entries(&file)?;
    let mut references = references::references(&file, registered)?;
    let named = named::named(&file)?;
    if named::has_tables(&file) {
        // The tables tell what the unit's own code uses, and nothing ties an alias to a kernel.
        references::add_possible(&mut references, &Names::new(&file).aliases(&file)?);
    }
    let hidden = hidden::hidden(&file, &entries)?;
    Ok(Some(HostFacts { entries, references, named, hidden, link: link::symbols(&file)? }))
}

/// Returns the names of the symbols of kernels and variables that `unit` defines and does not hide;
/// none if its host code is unknown.
pub fn exported_host_symbols(unit: &[u8]) -> Result<Vec<String>, HostFactsError> {
    if !unit.starts_with(b"\x7FELF") || is_cubin(unit) {
        return Ok(Vec::new());
    }
    let file = File::parse(unit)?;
    if file.kind() != ObjectKind::Relocatable || unfinished::is_unfinished(&file)? {
        return Ok(Vec::new());
    }
    let (entries, _) = entries::entries(&file)?;
    hidden::exported(&file, &entries)
}
