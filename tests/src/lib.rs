//! What the end-to-end tests share: where the tools are, how a command runs and how its failure is
//! shown, a folder to work in, and comparison with golden files.
//!
//! Nothing is mocked and nothing is skipped for want of a tool: a missing tool fails the test.

#![allow(clippy::panic, clippy::missing_panics_doc, reason = "assertions fail by panicking")]

pub mod golden;
pub mod meaning;
pub mod programs;
pub mod random;
mod run;
pub mod sandbox;
mod tools;
mod workbench;

pub use run::{Outcome, Run};
pub use sandbox::Sandbox;
pub use tools::{Tools, setting, tools, workspace_root};
pub use workbench::{ARCHITECTURE, Workbench};
