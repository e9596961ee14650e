//! The result of one call of ptxas.

/// A cubin, and the messages of ptxas.
pub(crate) struct Assembled {
    pub(crate) cubin: Vec<u8>,
    pub(crate) messages: String,
}
