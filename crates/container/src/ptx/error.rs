//! The error of reading PTX.

use std::fmt;

use thiserror::Error;

/// The error for text that is no PTX, or only a part of it.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub struct PtxError {
    /// Offset of the fault in bytes.
    offset: usize,
    fault: &'static str,
}

impl PtxError {
    pub(crate) fn new(offset: usize, fault: &'static str) -> Self {
        Self { offset, fault }
    }
}

impl fmt::Display for PtxError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "malformed PTX at byte {}: {}", self.offset, self.fault)
    }
}
