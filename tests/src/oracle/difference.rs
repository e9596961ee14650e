//! A fact in which two linked programs differ.

use std::fmt;

/// The aspect in which two linked programs differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// Host code registers or uses the symbol, and Weft's image lacks it without a reason.
    Missing,
    /// A kernel is in Weft's image although nothing refers to it.
    Surplus,
    /// Parameters of a kernel: their number, offsets, sizes or alignment.
    Parameters,
    /// Launch bounds of a kernel: threads, blocks, clusters or registers.
    LaunchBounds,
    /// A kernel has less static shared memory.
    SharedMemory,
    /// The dynamic shared memory of a kernel is aligned less.
    SharedAlignment,
    /// The size of a variable.
    Size,
    /// A variable is aligned less.
    Alignment,
    /// Initial bytes of a variable, or what its pointers point to.
    Content,
    /// The memory of a variable: global or constant.
    Memory,
    /// The image has more variables of a name than the program defines.
    Copies,
    /// The final link changed the code of a kernel beyond what relocations ask for.
    Code,
    /// Weft linked what it should refuse, or refused it in other words.
    Refusal,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// The aspect that differs.
    pub aspect: Aspect,
    /// The kernel or variable, by its symbol.
    pub symbol: String,
    /// The values of both sides, in words.
    pub detail: String,
}

impl Difference {
    pub(super) fn new(aspect: Aspect, symbol: &str, detail: impl Into<String>) -> Self {
        Self { aspect, symbol: symbol.to_owned(), detail: detail.into() }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?} of {}: {}", self.aspect, self.symbol, self.detail)
    }
}
