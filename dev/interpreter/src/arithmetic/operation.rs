//! A function that an instruction computes.

use crate::types::Type;

/// A function from up to four operands, each in the low bits of a word, to a result.
pub(crate) type Pure = Box<dyn Fn(&[u64; 4]) -> u64 + Send + Sync>;

/// The function that an instruction computes, and how its operands are read.
pub(crate) struct Operation {
    /// Type of the operands, by which numbers in the text are read.
    pub(crate) of: Type,
    /// Number of operands without the result.
    pub(crate) operands: usize,
    pub(crate) compute: Pure,
}

impl Operation {
    pub(super) fn new(
        of: Type,
        operands: usize,
        compute: impl Fn(&[u64; 4]) -> u64 + Send + Sync + 'static,
    ) -> Self {
        Self { of, operands, compute: Box::new(compute) }
    }
}
