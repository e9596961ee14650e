//! LLVM 22 behind a safe API.
//!
//! Three operations, each from bytes to a value, so that no handle of LLVM ever leaves the crate:
//!
//! - [`describe`]: device bitcode → the facts of a summary;
//! - [`link`]: a module's bitcode, its plan and its import sources → the linked module;
//! - [`compile`]: a linked module → PTX.
//!
//! All `unsafe` code and all C++ of the project is here. The C++ (`src/shim`) does only what LLVM's C
//! API cannot. Every operation has an LLVM context of its own, so operations on different threads do
//! not meet.

#![allow(unsafe_code, reason = "the one crate that speaks to LLVM")]
#![warn(clippy::undocumented_unsafe_blocks)]

mod analyses;
mod codegen;
mod context;
mod describe;
mod error;
mod global;
mod inline;
mod link;
mod module;
mod shim;
mod target;
mod value;

pub use codegen::{CodegenOptions, Compiled, OptimisationLevel, compile};
pub use describe::{Background, PriorityOverride, describe};
pub use error::IrError;
pub use inline::{InlineDecision, InlineModel, InlineOptions, InlineReason, InlineReport};
pub use link::{LinkError, link};
