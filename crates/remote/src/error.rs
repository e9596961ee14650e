//! Why a remote call gave no answer.

use thiserror::Error;

use crate::digest::Digest;

/// Why a remote call gave no answer. Servers are named without credentials.
#[derive(Clone, Debug, Error)]
pub enum RemoteError {
    /// The settings cannot be followed.
    #[error("{0}")]
    Settings(String),
    /// The action cannot be expressed.
    #[error("not a possible remote action: {0}")]
    Action(String),
    /// No connection, after several attempts.
    #[error("cannot reach {server}: {reason}")]
    Unreachable {
        /// The server.
        server: String,
        /// Why, from the outside in.
        reason: String,
    },
    /// The server lacks something that is needed.
    #[error("{server} does not offer {what}")]
    Unsupported {
        /// The server.
        server: String,
        /// What it lacks.
        what: String,
    },
    /// The server refused, or failed several times.
    #[error("{server}: {call} failed: {reason}")]
    Call {
        /// The server.
        server: String,
        /// What was asked of it.
        call: String,
        /// Its code and its words.
        reason: String,
    },
    /// The server was silent for too long, several times.
    #[error("{server}: {call} took longer than {seconds} s")]
    Timeout {
        /// The server.
        server: String,
        /// What was asked of it.
        call: String,
        /// The limit that was passed.
        seconds: f64,
    },
    /// What the server sent is not what its digest says, several times.
    #[error("{server} sent wrong content for {digest}")]
    Corrupt {
        /// The server.
        server: String,
        /// What was asked for.
        digest: Digest,
    },
    /// A result of the server lacks something or contradicts itself.
    #[error("{server} sent an unusable result: {reason}")]
    Result {
        /// The server.
        server: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The cluster could not run the action.
    #[error("{server} could not run the action: {reason}")]
    Execution {
        /// The server.
        server: String,
        /// Its code and its words.
        reason: String,
    },
    /// [`Remote::cancel`](crate::Remote::cancel) was called.
    #[error("the remote call was cancelled")]
    Cancelled,
}
