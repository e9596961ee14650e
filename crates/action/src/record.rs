//! A record of each result that a session got: when, from where, and why it was made again.
//!
//! Records go into the reports of jobs, which hold times, and into nothing that another job reads.

use serde::{Deserialize, Serialize};

/// One result that a session got.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobRecord {
    /// Name of the phase.
    pub phase: String,
    /// Object of the work, such as a module id.
    pub subject: String,
    /// Start in microseconds since 1970, in UTC. The first record of a process starts when its
    /// session does, and so takes in the reading of inputs.
    pub start: u64,
    /// Duration in microseconds.
    pub took: u64,
    /// Origin of the result.
    pub origin: Origin,
    /// Name that a cluster gives the worker; empty for this machine.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub worker: String,
    /// First difference from the nearest earlier run, if the cache knows one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Time that a result from a cache had taken to make, in microseconds.
    #[serde(default)]
    pub saved: u64,
}

/// The origin of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The action ran on this machine.
    #[default]
    Here,
    /// The local cache had the result.
    Cache,
    /// A remote cache had the result.
    RemoteCache,
    /// A cluster ran the action.
    Remote,
}
