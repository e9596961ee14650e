//! A fact in which two linked programs differ.

use std::fmt;

/// The aspect in which two linked programs differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// Host code registers or uses the symbol, and Weft's image lacks it without a reason.
    Missing,
    /// A kernel is in Weft's image although nothing refers to it.
    Surplus,
    /// Number, offsets, sizes or alignment of a kernel's parameters.
    Parameters,
    /// Launch bounds of a kernel: threads, blocks, clusters or registers.
    LaunchBounds,
    /// A kernel has less static shared memory.
    SharedMemory,
    /// The dynamic shared memory of a kernel is aligned less.
    SharedAlignment,
    /// Size of a variable.
    Size,
    /// A variable is aligned less.
    Alignment,
    /// Initial bytes of a variable, or the targets of its pointers.
    Content,
    /// Memory of a variable: global or constant.
    Memory,
    /// The image has more variables of a name than the program defines.
    Copies,
    /// The final link changed the code of a kernel beyond its relocations.
    Code,
    /// Weft linked a program that it should refuse, or refused it with another message.
    Refusal,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// Aspect that differs.
    pub aspect: Aspect,
    /// Symbol of the kernel or variable.
    pub symbol: String,
    /// Values of both sides, in words.
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
