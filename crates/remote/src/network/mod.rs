//! The parts of a network client that both protocols share.

pub(crate) mod first_answer;
pub(crate) mod http_status;
pub(crate) mod labels;
pub(crate) mod meter;
pub(crate) mod retry;
pub(crate) mod server;
pub(crate) mod shared_calls;
pub(crate) mod tls;

/// Size of the largest message that the client reads, in bytes: far above what servers put into
/// one.
pub(crate) const LARGEST_MESSAGE: usize = 64 << 20;
