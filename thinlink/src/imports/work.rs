//! A body that a walk still has to visit.

use super::decision::Pass;
use crate::model::ids::NodeId;

/// A body that is in the module, or will be.
#[derive(Clone, Copy)]
pub(super) struct Work {
    pub(super) node: NodeId,
    /// Import limit that applies to this body's callees.
    pub(super) base: u32,
    /// Level of this body's callees.
    pub(super) level: u8,
    pub(super) pass: Pass,
}

impl Work {
    /// Returns the work one level below.
    pub(super) fn below(self) -> Self {
        let pass = match self.pass {
            Pass::Direct => Pass::Transitive,
            later => later,
        };
        Self { level: self.level.saturating_add(1), pass, ..self }
    }
}
