//! Definitions as import candidates, independent of the importing module.

pub(crate) mod call_cost;
mod choice;
mod facts;
mod outcome;
mod sizes;

pub(crate) use choice::{Candidates, Judgment};
pub(crate) use facts::CandidateKind;
pub(crate) use outcome::ImportOutcome;
