//! Runs declared actions on clusters that speak the Remote Execution API, version 2, and takes
//! their results from there or from an HTTP cache of Bazel's kind.
//!
//! The calls of [`Remote`] block and may be made from many threads. One small pool of threads does
//! the network's work for all of them. The modules, from the bottom:
//!
//! | module | holds |
//! |---|---|
//! | [`digest`], `content`, `action`, [`messages`] | an action, its result, its canonical bytes |
//! | `endpoint`, `settings`, `random` | addresses, options and random names |
//! | `notes` | what processes tell each other about servers |
//! | `network` | retries, certificates, counters, and errors without secrets |
//! | `credentials` | headers that name this client, and are renewed when they expire |
//! | `outputs` | results between the protocol's form and the user's |
//! | `http` | Bazel's HTTP cache protocol |
//! | `grpc` | the services of the Remote Execution API |
//! | `remote` | the calls that users make |
//! | [`answers`] | the readers of what servers send, as functions of bytes |
//!
//! Content that came over the network is used only after its digest was compared. Errors, `Debug`
//! output and warnings hold neither headers nor the user part of an address.

// These macros panic where nobody reads the output, and a panic counts as a defect.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod action;
pub mod answers;
mod content;
mod credentials;
pub mod digest;
mod endpoint;
mod error;
mod grpc;
mod http;
pub mod messages;
mod network;
mod notes;
mod outputs;
mod random;
mod remote;
mod settings;

pub use action::{Progress, RemoteAction, RemoteInput, RemoteResult, Traffic};
pub use content::{Content, KnownFile};
pub use error::RemoteError;
pub use remote::Remote;
pub use settings::{CredentialHelper, Invocation, Settings};
