//! What the end-to-end tests share: where the tools are, how a command runs and how its failure is
//! shown, a folder to work in, real servers, and comparison with golden files.
//!
//! Nothing is mocked and nothing is skipped for want of a tool: a missing tool fails the test.

#![allow(clippy::panic, clippy::missing_panics_doc, reason = "assertions fail by panicking")]

mod background;
pub mod golden;
mod nginx;
mod port;
mod real_server;
mod run;
mod tools;
mod workbench;

pub use background::Background;
pub use nginx::Nginx;
pub use port::Port;
pub use real_server::{Casd, RealServer};
pub use run::{Outcome, Run};
pub use tools::{Tools, tools, workspace_root};
pub use workbench::{ARCHITECTURE, Workbench};
