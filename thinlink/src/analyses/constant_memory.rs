//! The limit for local constants in constant memory, where a program has too many of them.
//!
//! clang puts each constant with a known content into constant memory, also a table that is
//! declared `static const __device__`. Each unit alone has room for its own, and nvlink refuses the
//! program: an image has 64 KiB of constant memory. So where the program's constants exceed that,
//! local ones above a limit move to global memory, where NVIDIA's compiler puts them. The limit is
//! the same for all modules, and one of few values, so that an edit of one unit seldom changes
//! others' plans. A module may copy small constants of others, and room is left for these.
//!
//! Cost: each symbol once, in parallel.

use rayon::prelude::*;

use super::liveness::Liveness;
use crate::model::ids::{NodeId, PerNode};
use crate::model::index::Index;

/// Constant memory among NVPTX's address spaces.
const CONSTANT: u32 = 4;
/// Bytes of constant memory of an image.
const ROOM: u64 = 1 << 16;
/// Bytes that own constants may take before any of them move; the rest is for copies.
const FULL: u64 = ROOM - (1 << 13);
/// Bytes that own constants may take once some of them have moved.
const WANTED: u64 = ROOM / 2;
/// Limits that are tried, from the largest.
const LIMITS: [u32; 4] = [1024, 256, 64, 0];

/// A limit, and why there is one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ConstantLimit {
    /// Bytes of the largest local constant that stays in constant memory.
    pub(crate) largest: u32,
    /// Bytes of all constants in constant memory.
    pub(crate) bytes: u64,
}

impl ConstantLimit {
    /// Returns the limit that the program needs, if it needs one. Locals that another module needs
    /// become visible to it, so they stay where they are.
    pub(crate) fn of(
        index: &Index<'_>,
        liveness: &Liveness,
        exported: &PerNode<bool>,
    ) -> Option<Self> {
        let constants = index.all_nodes().into_par().filter_map(|node: NodeId| {
            let is_there = index.is_definition(node)
                && liveness.live[node]
                && index.prevails(node)
                && index.address_space(node) == CONSTANT;
            let variable = index.variable(node).filter(|_| is_there)?;
            let may_move = index.is_local(node)
                && !exported[node]
                && variable.is_constant()
                && !variable.is_externally_initialized();
            Some((variable.size(), may_move))
        });
        Self::for_constants(&constants.collect::<Vec<_>>())
    }

    /// The same, computed from pairs of a size in bytes and whether the variable may move.
    fn for_constants(constants: &[(u64, bool)]) -> Option<Self> {
        let staying = |limit: u64| -> u64 {
            let stays = |&&(size, may_move): &&(u64, bool)| !may_move || size <= limit;
            constants.iter().filter(stays).fold(0, |sum, (size, _)| sum.saturating_add(*size))
        };
        let bytes = staying(u64::MAX);
        let fits = |limit: &u32| staying(u64::from(*limit)) <= WANTED;
        let largest = LIMITS.into_iter().find(fits).unwrap_or(0);
        (bytes > FULL).then_some(Self { largest, bytes })
    }

    /// Returns a line for the log.
    pub(crate) fn log(&self) -> String {
        let Self { largest, bytes } = self;
        format!(
            "constants: {bytes} bytes are too many for constant memory, which has {ROOM}; local \
             ones of more than {largest} bytes move to global memory"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn largest(constants: &[(u64, bool)]) -> Option<u32> {
        ConstantLimit::for_constants(constants).map(|limit| limit.largest)
    }

    #[test]
    fn constants_that_fit_stay() {
        assert_eq!(largest(&[(FULL, true)]), None);
        assert_eq!(largest(&[(FULL + 1, true)]), Some(1024));
    }

    #[test]
    fn the_limit_is_the_largest_that_leaves_half_of_the_room() {
        let many = |size: u64| vec![(size, true); usize::try_from(2 * ROOM / size).unwrap()];
        assert_eq!(largest(&many(2048)), Some(1024));
        assert_eq!(largest(&many(1024)), Some(256));
        assert_eq!(largest(&many(64)), Some(0));
    }

    #[test]
    fn variables_that_cannot_move_count() {
        assert_eq!(largest(&[(WANTED, false), (WANTED, true), (8, true)]), Some(0));
        assert_eq!(largest(&[(WANTED - 8, false), (WANTED, true), (8, true)]), Some(1024));
        assert_eq!(largest(&[(u64::MAX, false), (u64::MAX, false)]), Some(0));
    }
}
