//! All readers of Weft, each as a function of bytes.
//!
//! A reader returns for every input. It does not panic, it takes a few seconds at most, and it
//! needs no more than [`MEMORY`]. Three things test that, all with the table of this crate:
//!
//! - `cargo xtask fuzz` feeds each with coverage-guided inputs, and keeps those that break a
//!   promise in `inputs/NAME`;
//! - the test `findings` of this crate gives each those inputs in every run;
//! - the test `readers` of the end-to-end tests makes real files for each, which it must accept and
//!   which seed the search.
//!
//! Readers of LLVM's bitcode are not here, since they are LLVM's: `damaged_bitcode` tests them.

#![allow(
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a reader that breaks a promise ends the fuzz target or test that calls it"
)]

mod artifacts;
mod caches;
mod containers;
mod cubins;
mod programs;
mod remote;
mod text;

pub use artifacts::{
    decisions, decisions_record, feedback, manifest, plan, plan_record, staged_imports, summary,
    summary_record,
};
pub use caches::{cache_entry, cache_history};
pub use containers::{
    archive, device_code, device_images, fatbin, fatbin_payload, host_facts, host_object, offload,
    thin_index,
};
pub use cubins::{cubin_costs, cubin_resources, cubin_symbols, cubin_whole};
pub use programs::{linked_program, thin_link};
pub use remote::{answer_capabilities, answer_frames, answer_operation, answer_result};
pub use text::{
    assembly, link_jobs, lto_ir_module, ptx, ptx_header, ptx_modes, ptx_parts, report, settings,
};

/// Maximum number of bytes that a reader may have allocated at a time, for an input of at most
/// [`LARGEST_INPUT`]. The largest single parts of it are the limits on the record of an artifact,
/// which are 256 MiB.
pub const MEMORY: usize = 512 << 20;

/// Maximum size in bytes of the inputs that are tried.
pub const LARGEST_INPUT: usize = 1 << 16;

/// One reader.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    /// Name, which is also that of its fuzz target and of the folder of its findings.
    pub name: &'static str,
    /// Reads an input, and returns whether it was taken for what the reader reads.
    pub read: fn(&[u8]) -> bool,
}

macro_rules! readers {
    ($($name:ident),* $(,)?) => {
        /// All readers, sorted by name.
        pub const READERS: &[Reader] = &[$(Reader { name: stringify!($name), read: $name }),*];
    };
}

readers![
    answer_capabilities,
    answer_frames,
    answer_operation,
    answer_result,
    archive,
    assembly,
    cache_entry,
    cache_history,
    cubin_costs,
    cubin_resources,
    cubin_symbols,
    cubin_whole,
    decisions,
    decisions_record,
    device_code,
    device_images,
    fatbin,
    fatbin_payload,
    feedback,
    host_facts,
    host_object,
    link_jobs,
    linked_program,
    lto_ir_module,
    manifest,
    offload,
    plan,
    plan_record,
    ptx,
    ptx_header,
    ptx_modes,
    ptx_parts,
    report,
    settings,
    staged_imports,
    summary,
    summary_record,
    thin_index,
    thin_link,
];

/// Returns the reader called `name`.
pub fn reader(name: &str) -> Option<Reader> {
    READERS.iter().copied().find(|reader| reader.name == name)
}
