//! Runs declared actions on clusters that speak the Remote Execution API, version 2, and takes their
//! results from there or from an HTTP cache of Bazel's kind.
//!
//! The calls of [`Remote`] block and may be made from many threads. Behind them runs one small pool
//! of threads for the network. Layers, from the bottom: [`digest`] and [`messages`] make canonical
//! bytes of an action; `link` makes calls to one server, `retry` makes them again; `cas`, `stream`
//! and `execution` are the services of the protocol, `http` the other protocol.
//!
//! What came over the network is used only after its digest was compared, and what is told to users
//! (errors, `Debug` output, warnings) holds neither headers nor the user part of an address.

// These macros panic, which counts as a defect, where nobody reads the output any more.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod action;
mod capabilities;
mod cas;
mod content;
pub mod digest;
mod endpoint;
mod error;
mod execution;
mod flights;
mod grpc;
mod http;
mod link;
pub mod messages;
mod meter;
mod outputs;
mod random;
mod remote;
mod retry;
mod settings;
mod stream;
mod tls;
mod zstandard;

pub use action::{Progress, RemoteAction, RemoteInput, RemoteResult, Traffic};
pub use content::{Content, KnownFile};
pub use error::RemoteError;
pub use remote::Remote;
pub use settings::Settings;
