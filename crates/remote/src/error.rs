//! The error of remote calls.

use thiserror::Error;

use crate::digest::Digest;

/// The error of a remote call. Servers are named without credentials.
#[derive(Clone, Debug, Error)]
pub enum RemoteError {
    /// The settings are wrong or contradict each other.
    #[error("{0}")]
    Settings(String),
    /// The action cannot be expressed.
    #[error("not a possible remote action: {0}")]
    Action(String),
    /// Several attempts led to no connection.
    #[error("cannot reach {server}: {reason}")]
    Unreachable {
        /// Address of the server.
        server: String,
        /// All causes, from the outermost to the innermost.
        reason: String,
        /// Whether the settings are at fault, such as certificates.
        is_final: bool,
    },
    /// The server was down a short time ago and is not tried now.
    #[error("{server} is down, and tried again later: {reason}")]
    Down {
        /// Address of the server.
        server: String,
        /// Failure that another process has met.
        reason: String,
    },
    /// The server, or one before it, answered that it is unavailable, several times.
    #[error("{server}: {call} failed: {reason}")]
    Unavailable {
        /// Address of the server.
        server: String,
        /// Name of the call.
        call: String,
        /// The server's message and code.
        reason: String,
    },
    /// The server has no room for content, or had none a short time ago.
    #[error("{server} has no room for content: {reason}")]
    Full {
        /// Address of the server.
        server: String,
        /// The server's message and code.
        reason: String,
    },
    /// The server lacks something that is needed.
    #[error("{server} does not offer {what}")]
    Unsupported {
        /// Address of the server.
        server: String,
        /// The missing feature.
        what: String,
    },
    /// The server refused, or failed several times.
    #[error("{server}: {call} failed: {reason}")]
    Call {
        /// Address of the server.
        server: String,
        /// Name of the call.
        call: String,
        /// The server's message and code.
        reason: String,
    },
    /// The server was silent for too long, several times.
    #[error("{server}: {call} took longer than {seconds} s")]
    Timeout {
        /// Address of the server.
        server: String,
        /// Name of the call.
        call: String,
        /// Time limit of the call.
        seconds: f64,
    },
    /// The content that the server sent did not match its digest, several times.
    #[error("{server} sent wrong content for {digest}")]
    Corrupt {
        /// Address of the server.
        server: String,
        /// Digest of the content.
        digest: Digest,
    },
    /// A result of the server lacks something or contradicts itself.
    #[error("{server} sent an unusable result: {reason}")]
    Result {
        /// Address of the server.
        server: String,
        /// The fault of the result.
        reason: String,
    },
    /// The cluster could not run the action.
    #[error("{server} could not run the action: {reason}")]
    Execution {
        /// Address of the server.
        server: String,
        /// The server's message and code.
        reason: String,
    },
    /// The worker had too little memory, or too little of something else that the cluster counts.
    #[error("{server} had not enough resources for the action: {reason}")]
    Exhausted {
        /// Address of the server.
        server: String,
        /// The server's message and code, or the exit code of the command.
        reason: String,
    },
    /// The execution took longer than the user's limit for it.
    #[error("{server}: Execute took longer than {seconds} s, and {state}")]
    Deadline {
        /// Address of the server.
        server: String,
        /// The limit.
        seconds: f64,
        /// State of the action when the limit was reached, in words.
        state: String,
    },
    /// [`Remote::cancel`](crate::Remote::cancel) was called.
    #[error("the remote call was cancelled")]
    Cancelled,
}

impl RemoteError {
    /// Returns the server that this error shows to be down or silent, so that other calls to it
    /// would fail as well.
    pub fn server_that_is_down(&self) -> Option<&str> {
        match self {
            Self::Unreachable { server, is_final: false, .. }
            | Self::Down { server, .. }
            | Self::Unavailable { server, .. }
            | Self::Timeout { server, .. } => Some(server),
            _ => None,
        }
    }

    /// Returns what a build says once, although many of its steps meet it; `None` where each step
    /// says it.
    pub(crate) fn subject_of_build(&self) -> Option<String> {
        match self {
            Self::Full { server, .. } => Some(format!("the room of {server}")),
            _ => self.server_that_is_down().map(str::to_owned),
        }
    }
}
