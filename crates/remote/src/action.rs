//! Actions and their results, in terms of no protocol.

use std::time::Duration;

use crate::content::Content;

/// A command with everything that it reads. Paths are relative to the root that the command runs
/// in, are made of plain names separated by `/`, and are the same on every machine.
#[derive(Clone, Debug, Default)]
pub struct RemoteAction {
    /// Path of the program in the root or on the worker, followed by its arguments.
    pub arguments: Vec<String>,
    /// Names and values of all environment variables of the command.
    pub environment: Vec<(String, String)>,
    /// Every file that the command may read, including the program.
    pub inputs: Vec<RemoteInput>,
    /// Folders that must exist although no input is in them.
    pub directories: Vec<String>,
    /// Paths and targets of symbolic links.
    pub symlinks: Vec<(String, String)>,
    /// Paths of the files that the command writes.
    pub outputs: Vec<String>,
    /// Names and values of the properties that the worker must have, as the cluster defines them.
    pub platform: Vec<(String, String)>,
    /// Time after which the worker ends the command; the cluster's default if `None`.
    pub timeout: Option<Duration>,
    /// Whether the result is neither taken from a cache nor left there.
    pub do_not_cache: bool,
    /// Whether to run the action even where a cache has a result, which is then replaced. This is
    /// no part of the action's key.
    pub skip_lookup: bool,
    /// Word for the kind of the action, which a cluster's pages show. No part of the key.
    pub mnemonic: String,
    /// Name of what the action is made for, which a cluster's pages show. No part of the key.
    pub target: String,
    /// Bytes that only distinguish the key of this action from others.
    pub salt: Vec<u8>,
}

/// A file in the root of an action.
#[derive(Clone, Debug)]
pub struct RemoteInput {
    /// Path in the root.
    pub path: String,
    /// Content of the file.
    pub content: Content,
    /// Whether the file is executable.
    pub executable: bool,
}

/// Result of an action.
#[derive(Clone, Debug, Default)]
pub struct RemoteResult {
    /// Path and content of every declared output, in the order of the action. A command that failed
    /// may have left some out.
    pub outputs: Vec<(String, Vec<u8>)>,
    /// Exit code of the command.
    pub exit_code: i32,
    /// Bytes of the command's standard output.
    pub stdout: Vec<u8>,
    /// Bytes of the command's standard error.
    pub stderr: Vec<u8>,
    /// Duration of the command's latest run, if it is known.
    pub ran_for: Option<Duration>,
    /// Name of the worker that ran the command; empty if it is unknown.
    pub worker: String,
    /// Whether the command did not run for this call.
    pub served_from_cache: bool,
    /// Network traffic of this call.
    pub traffic: Traffic,
}

/// Payload that went over the network: without the overhead of the transport, and with each
/// repetition of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Number of bytes sent.
    pub bytes_up: u64,
    /// Number of bytes received.
    pub bytes_down: u64,
    /// Number of calls made.
    pub calls: u64,
}

/// State of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Inputs that the cluster lacks are on their way to it.
    Uploading {
        /// Size of the inputs that are sent.
        bytes: u64,
    },
    /// The cluster checks whether it has the result.
    LookingUp,
    /// The action waits for a worker.
    Queued,
    /// The command runs.
    Executing,
    /// Outputs are on their way here.
    Downloading {
        /// Size of the outputs that are received.
        bytes: u64,
    },
    /// An attempt has failed and is being repeated.
    Retrying {
        /// Message of the failure.
        reason: String,
    },
}
