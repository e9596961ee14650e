//! LLVM 22 behind a safe API.
//!
//! The crate has four operations, each from bytes to a value, so no LLVM handle ever leaves the
//! crate:
//!
//! - [`describe`]: device bitcode → the facts of a summary;
//! - [`link`]: a module's bitcode, its plan and its import sources → the linked module;
//! - [`compile`]: a linked module → the optimized module, PTX;
//! - [`combine`]: several modules of a program → one.
//!
//! All `unsafe` code and all C++ of the project is here. The C++ (`src/shim`) does only what LLVM's
//! C API cannot. Every operation has a private LLVM context, so operations on different threads do
//! not interact.

// These macros panic, which counts as a defect, where nobody reads the output any more.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![allow(unsafe_code, reason = "the one crate that speaks to LLVM")]
#![warn(clippy::undocumented_unsafe_blocks)]

mod analyses;
mod arithmetic;
mod assembly;
mod changes;
mod check;
mod codegen;
mod combine;
mod context;
mod counts;
mod data_layout;
mod definitions;
mod describe;
mod dynamic_shared;
mod environment;
mod error;
mod handles;
mod host_code;
mod inline;
mod intrinsics;
mod kernel_choices;
mod layout;
mod level;
mod libnvvm;
mod line_tables;
mod link;
mod members;
mod metadata;
mod module;
mod mover;
mod options;
mod parameter_sizes;
mod producer;
mod program;
mod prototype;
mod ptx_names;
mod ptx_version;
mod renamed;
mod settings;
mod source_file;
mod split;
mod target;
mod target_machine;
#[cfg(test)]
mod tests;
mod text;
pub mod trace;

// The C++ allocates with it (`src/shim/guarded.cpp`).
use libmimalloc_sys as _;

pub use check::check;
pub use codegen::{CodegenOptions, Compiled, Generator, Wanted, compile};
pub use combine::{CombineError, combine};
pub use counts::Counts;
pub use describe::{Background, PriorityOverride, describe};
pub use environment::keep_variables;
pub use error::{IrError, ProducerAge};
pub use host_code::is_plain_host_code;
pub use inline::{
    ImportedBodies, InlineDecision, InlineModel, InlineOptions, InlineReason, InlineReport,
    LlvmRules,
};
pub use level::{Effort, OptimizationLevel};
pub use libnvvm::{Libnvvm, LoadError};
pub use link::link;
pub use members::LinkError;
pub use ptx_version::PtxVersion;
pub use renamed::with_source_below_workspace;
pub use settings::LlvmNumbers;
pub use split::{Partition, Partitions, Split, split};
