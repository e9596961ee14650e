//! What is asked of a cluster and what comes back, in terms of no protocol.

use std::time::Duration;

use crate::content::Content;

/// A command with all that it reads. Paths are relative to the root that it runs in, are made of
/// plain names separated by `/`, and are the same on every machine.
#[derive(Clone, Debug, Default)]
pub struct RemoteAction {
    /// The program, by its path in the root or on the worker, and its arguments.
    pub arguments: Vec<String>,
    /// Names and values of all variables that it sees.
    pub environment: Vec<(String, String)>,
    /// Every file that it may read, the program included.
    pub inputs: Vec<RemoteInput>,
    /// Folders that must be there although no input is in them.
    pub directories: Vec<String>,
    /// Links by path and target.
    pub symlinks: Vec<(String, String)>,
    /// Paths of the files that it writes.
    pub outputs: Vec<String>,
    /// Names and values of what the worker must be, as the cluster defines them.
    pub platform: Vec<(String, String)>,
    /// How long the worker lets it run; the cluster's default without.
    pub timeout: Option<Duration>,
    /// Neither takes its result from a cache nor leaves it there.
    pub do_not_cache: bool,
    /// Whether to run even where a cache has a result, which is then replaced. The action is the
    /// same.
    pub skip_lookup: bool,
    /// Makes it another action for the cache, although it does the same.
    pub salt: Vec<u8>,
}

/// A file in the root of an action.
#[derive(Clone, Debug)]
pub struct RemoteInput {
    /// Where it is.
    pub path: String,
    /// What it holds.
    pub content: Content,
    /// Whether it may be run.
    pub executable: bool,
}

/// What an action left behind.
#[derive(Clone, Debug, Default)]
pub struct RemoteResult {
    /// Every declared output with its content, in the order of the action; without those that it has
    /// not written, where it has failed.
    pub outputs: Vec<(String, Vec<u8>)>,
    /// Exit code of the command.
    pub exit_code: i32,
    /// What it printed.
    pub stdout: Vec<u8>,
    /// What it printed as errors.
    pub stderr: Vec<u8>,
    /// How long the command ran, now or when it last did, if that is known.
    pub ran_for: Option<Duration>,
    /// Whether the command did not run for this call.
    pub served_from_cache: bool,
    /// What this call cost.
    pub traffic: Traffic,
}

/// Payload that went over the network, as the protocol counts it: without the overhead of the
/// transport, with each repetition of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes sent.
    pub bytes_up: u64,
    /// Bytes received.
    pub bytes_down: u64,
    /// Calls made.
    pub calls: u64,
}

/// Where an execution is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// This many bytes are on their way to the cluster, because it lacks them.
    Uploading {
        /// Their number.
        bytes: u64,
    },
    /// The cluster looks whether it has the result.
    LookingUp,
    /// It waits for a worker.
    Queued,
    /// It runs.
    Executing,
    /// Outputs are on their way here.
    Downloading {
        /// Their size.
        bytes: u64,
    },
    /// Something did not work and is being tried again.
    Retrying {
        /// What did not work.
        reason: String,
    },
}
