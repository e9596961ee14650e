//! Definitions as something that other modules may get, whichever module asks.

pub(crate) mod call_cost;
mod choice;
mod facts;
mod outcome;
mod sizes;

pub(crate) use choice::{Candidates, Judgment};
pub(crate) use facts::CandidateKind;
pub(crate) use outcome::ImportOutcome;
