//! One declared action, and the ways to get its result.
//!
//! Every phase of every executable describes itself as an [`Action`]: the program, its arguments,
//! its inputs and its outputs, under names relative to a folder that holds nothing else. A
//! [`Session`] takes the result from the local cache, whose [`key`] is made of the description, or
//! from a remote cache, or makes a cluster run the action, or runs the phase in this process, or,
//! for ptxas, starts the program. All of these ways get the same description, so none can know more
//! than another.
//!
//! This crate is the one place of the product that starts processes. A program runs in a private
//! folder that holds its inputs and nothing else, with an empty environment. So neither a path of
//! the machine nor its environment can reach an output, and undeclared files are lost. A program
//! that exits with 0 and has not written its outputs has failed.

// These macros panic where nobody reads the output, and a panic counts as a defect.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod action;
mod answers;
mod build_command;
mod claim;
mod clock;
mod credential_helper;
mod group;
pub mod key;
mod lookup;
mod memory;
mod misses;
mod platforms;
mod progress;
mod record;
mod run_here;
mod scratch;
mod servers;
mod session;
mod settings;
mod size;
pub mod stats;
pub mod store;
mod time_limit;
mod tool;
mod tool_digest;
mod whole_tool;

pub use action::{Action, Input, Outcome, Phase};
pub use build_command::{BuildCommand, first_variable};
pub use claim::{Check, Claim};
pub use credential_helper::credential_helper;
pub use group::{ChildGroup, end_with_parent, serve_as_supervisor};
pub use lookup::Missing;
pub use memory::memory_for;
pub use platforms::Platforms;
pub use record::{JobRecord, Origin};
pub use run_here::ActionError;
pub use scratch::{Scratch, temporary_folder};
pub use session::Session;
pub use settings::{CacheMode, RemoteSettings, Settings};
pub use size::Size;
pub use time_limit::TimeLimit;
pub use tool::{Tool, find_program};
