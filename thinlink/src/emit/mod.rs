//! The decisions as files and as text for people.

mod constants;
pub(crate) mod decided;
pub(crate) mod decisions;
mod definitions;
pub(crate) mod destination;
pub(crate) mod files;
pub(crate) mod known_functions;
mod lto_ir;
pub mod outputs;
mod planned;
mod plans;
pub(crate) mod report;
pub(crate) mod resolve;
mod shared_alignments;
pub(crate) mod stale_plans;
mod virtual_calls;
