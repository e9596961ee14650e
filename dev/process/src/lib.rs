//! Runs processes and reports failures, for tests, benches and the task runner.
//!
//! This crate has no dependencies, so that a fresh checkout and a Rust toolchain are enough to
//! compile the task runner. It is the only crate for development that starts processes, reads the
//! environment or looks at a clock.

mod conversation;
pub mod environment;
mod error;
mod process;
pub mod processor_time;
mod start;
mod stopwatch;
pub mod usage;

pub use conversation::Conversation;
pub use error::{Error, Result, ended, while_trying};
pub use process::{Outcome, Process, quote, remove};
pub use start::start;
pub use stopwatch::Stopwatch;
