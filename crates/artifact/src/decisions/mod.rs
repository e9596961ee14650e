//! Why the thin link decided as it did, for people who ask.
//!
//! Written at every link, so it is compact: names share prefixes with the one before, and a reason is
//! one byte, or one byte and a step to the symbol that it points at. It is not compressed, because
//! that would take longer than all of the thin link on a large program. No job reads it.

mod bytes;
mod decision;
mod file;

pub use decision::{
    CallClass, ClosureDecision, ClosureExit, Definition, ExitReason, ImportCall, ImportDecision,
    ImportPass, ImportRefusal, RootReason, SymbolDecision, Verdict,
};
pub use file::{Decisions, ImportRecord, ModuleDecisions};
