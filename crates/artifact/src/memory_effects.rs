//! The memory that a function may access.

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

/// The kinds of access that a function may make: LLVM's `memory` attribute, without the
/// distinctions that do not exist in device code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, SchemaRead, SchemaWrite)]
#[serde(transparent)]
pub struct MemoryEffects(pub u8);

impl MemoryEffects {
    /// No access at all.
    pub const NONE: Self = Self(0);
    /// Reads of memory that arguments point to.
    pub const READS_ARGUMENTS: Self = Self(1);
    /// Writes of memory that arguments point to.
    pub const WRITES_ARGUMENTS: Self = Self(1 << 1);
    /// Reads of state that no pointer of the program leads to.
    pub const READS_INACCESSIBLE: Self = Self(1 << 2);
    /// Writes of such state.
    pub const WRITES_INACCESSIBLE: Self = Self(1 << 3);
    /// Reads of any other memory.
    pub const READS_OTHER: Self = Self(1 << 4);
    /// Writes of any other memory.
    pub const WRITES_OTHER: Self = Self(1 << 5);
    /// Any access.
    pub const ANY: Self = Self(0x3F);

    /// Returns the accesses that are in either set.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the accesses that are in both sets.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns these accesses of a callee as accesses of its caller. The callee's arguments may
    /// point to any memory of the caller, and the caller's arguments may point to any memory, once
    /// the caller has stored such a pointer somewhere.
    #[must_use]
    pub fn seen_by_caller(self) -> Self {
        let reads = Self::READS_ARGUMENTS.or(Self::READS_OTHER);
        let writes = Self::WRITES_ARGUMENTS.or(Self::WRITES_OTHER);
        let widened = [reads, writes].into_iter().filter(|both| self.and(*both) != Self::NONE);
        widened.fold(self, Self::or)
    }
}

impl Default for MemoryEffects {
    /// Returns all accesses, as no fact is known.
    fn default() -> Self {
        Self::ANY
    }
}

#[cfg(test)]
mod tests {
    use super::MemoryEffects;

    #[test]
    fn a_caller_cannot_tell_arguments_from_other_memory() {
        let reads = MemoryEffects::READS_ARGUMENTS.or(MemoryEffects::READS_OTHER);
        let writes = MemoryEffects::WRITES_ARGUMENTS.or(MemoryEffects::WRITES_OTHER);
        assert_eq!(MemoryEffects::READS_ARGUMENTS.seen_by_caller(), reads);
        assert_eq!(MemoryEffects::READS_OTHER.seen_by_caller(), reads);
        assert_eq!(MemoryEffects::WRITES_OTHER.seen_by_caller(), writes);
        let inaccessible = MemoryEffects::READS_INACCESSIBLE;
        assert_eq!(inaccessible.seen_by_caller(), inaccessible);
        assert_eq!(MemoryEffects::NONE.seen_by_caller(), MemoryEffects::NONE);
    }
}
