//! Lists of bodies that callers have room for.

use super::decision::Class;
use crate::model::ids::NodeId;

/// Lists that a prediction fills, empty before and after.
#[derive(Default)]
pub(super) struct Lists {
    pub(super) taken: Vec<Taken>,
    pub(super) offered: Vec<Offered>,
}

/// A body that the caller has room for, at one call or several equal ones.
pub(super) struct Taken {
    pub(super) node: NodeId,
    /// The position of the calling body. The caller's own body is its own parent.
    pub(super) parent: usize,
    /// The import limit that applies to its callees.
    pub(super) base: u32,
    /// Number of calls.
    pub(super) times: u32,
}

/// A callee of a body that was taken.
pub(super) struct Offered {
    /// Number of instructions that one call adds, and 0 for a callee that is inlined regardless of
    /// the budget.
    pub(super) charge: u32,
    pub(super) class: Class,
    /// Importance of the callee by its profile.
    pub(super) importance: u32,
    pub(super) taken: Taken,
}
