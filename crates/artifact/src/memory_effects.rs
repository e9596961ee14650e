//! What memory a function may touch.

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

/// The kinds of access that a function may make. LLVM's `memory` attribute, without the distinctions
/// that device code does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, SchemaRead, SchemaWrite)]
#[serde(transparent)]
pub struct MemoryEffects(pub u8);

impl MemoryEffects {
    /// No access at all.
    pub const NONE: Self = Self(0);
    /// Reads what its arguments point to.
    pub const READS_ARGUMENTS: Self = Self(1);
    /// Writes what its arguments point to.
    pub const WRITES_ARGUMENTS: Self = Self(1 << 1);
    /// Reads state that no pointer of the program leads to.
    pub const READS_INACCESSIBLE: Self = Self(1 << 2);
    /// Writes such state.
    pub const WRITES_INACCESSIBLE: Self = Self(1 << 3);
    /// Reads any other memory.
    pub const READS_OTHER: Self = Self(1 << 4);
    /// Writes any other memory.
    pub const WRITES_OTHER: Self = Self(1 << 5);
    /// Any access.
    pub const ANY: Self = Self(0x3F);

    /// The accesses of either.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The accesses of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What these accesses of a callee are to its caller: what the callee's arguments point to may be
    /// any memory of the caller's.
    #[must_use]
    pub fn seen_by_caller(self) -> Self {
        let reads = if self.0 & Self::READS_ARGUMENTS.0 == 0 { 0 } else { Self::READS_OTHER.0 };
        let writes = if self.0 & Self::WRITES_ARGUMENTS.0 == 0 { 0 } else { Self::WRITES_OTHER.0 };
        Self(self.0 | reads | writes)
    }
}

impl Default for MemoryEffects {
    /// Nothing is known.
    fn default() -> Self {
        Self::ANY
    }
}
