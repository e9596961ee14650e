//! One job of the build.

use serde::{Deserialize, Serialize};

use super::default::is_default;

/// One job: one phase of one module, or the thin link of an architecture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Phase: `summarize`, `thinlink`, `import`, `codegen` or `assemble`.
    pub phase: String,
    /// Module, or for a summary of a unit without device code and for a thin link `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<u32>,
    /// Name of the job's object, where that is no module.
    #[serde(default, skip_serializing_if = "is_default")]
    pub subject: String,
    /// Start in microseconds after [`BuildReport::epoch`](super::BuildReport::epoch).
    pub start: u64,
    /// Duration in microseconds.
    pub took: u64,
    /// Origin of the result.
    pub origin: JobOrigin,
    /// Worker that ran it: a lane of this machine, or the name that a cluster gives its worker.
    pub worker: String,
    /// Whether the job ran in this build, or its result of an earlier build still holds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub earlier: bool,
    /// Reason why the job ran again: the first input that differed, as a sentence; empty if that is
    /// unknown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub why: String,
    /// Time that the result from a cache had taken to make, in microseconds; 0 for a job that ran.
    #[serde(default, skip_serializing_if = "is_default")]
    pub saved: u64,
}

/// The origin of a job's result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobOrigin {
    /// The job ran on this machine.
    #[default]
    Here,
    /// The local cache had the result.
    Cache,
    /// A remote cache had the result.
    RemoteCache,
    /// A cluster ran the job.
    Remote,
}
