//! The reasons of the thin link's decisions, for people who ask.
//!
//! The file is written at every link, so it is compact: names share prefixes with the name before,
//! and a reason is one byte, or one byte and a step to the symbol that it refers to. The file is
//! not compressed, because that would take longer than the whole thin link of a large program. No
//! job reads it.

mod bytes;
mod decision;
mod file;

pub use decision::{
    CallClass, ClosureDecision, ClosureExit, Definition, ExitReason, ImportCall, ImportDecision,
    ImportPass, ImportRefusal, RootReason, SymbolDecision, SymbolFate,
};
pub use file::{Decisions, ImportRecord, ModuleDecisions};
