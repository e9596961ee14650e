//! Support for the end-to-end tests: paths of tools, commands with a full report of their failures,
//! a folder to work in, real servers, Bazel workspaces, comparison with golden files and with the
//! demo's image, and the table of the steps that an edit reruns.
//!
//! Nothing is mocked and no test is skipped because a tool is missing: a missing tool fails the
//! test.

#![allow(clippy::panic, clippy::missing_panics_doc, reason = "assertions fail by panicking")]

pub mod arithmetic;
mod background;
pub mod bazel;
pub mod chain;
mod compiler;
pub mod corpus;
pub mod device_options;
mod files;
pub mod golden;
pub mod host_program;
pub mod hunted;
pub mod interpreted;
pub mod kept;
pub mod killed;
pub mod meaning;
mod nginx;
mod nvcc;
pub mod options;
pub mod oracle;
pub mod pages;
mod parallel;
mod port;
mod producer;
mod program;
mod real_server;
pub mod rebuild;
pub mod reference;
mod run;
pub mod sandbox;
mod tools;
mod workbench;

pub use background::Background;
pub use compiler::Compiler;
pub use files::files_below;
pub use nginx::Nginx;
pub use parallel::for_each;
pub use port::Port;
pub use producer::with_producer;
pub use program::write_program;
pub use real_server::{Casd, RealServer};
pub use run::{Outcome, Run};
pub use sandbox::Sandbox;
pub use tools::{Tools, path_setting, setting, skip_without_gpu, tools, workspace_root};
pub use workbench::{ARCHITECTURE, Workbench};
