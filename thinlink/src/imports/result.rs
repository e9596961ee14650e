//! The imports of one module.

use crate::model::ids::NodeId;
use weft_artifact::ImportRecord;

/// Imports of one module. The lists name definitions of other modules.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Imports {
    /// Definitions whose bodies are imported, sorted.
    pub(crate) imported: Box<[NodeId]>,
    /// Definitions that must be visible to this module, first those whose bodies are imported.
    pub(crate) needed: Box<[NodeId]>,
    /// Number of nodes in `needed` whose bodies are imported.
    pub(crate) needed_and_imported: usize,
    /// Record of the decision about every candidate.
    pub(crate) recorded: ImportRecord,
    /// Lines to print about the candidates.
    pub(crate) lines: String,
}

impl Imports {
    /// Whether the module is compiled with the same definitions of others.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        let sorted = |nodes: &[NodeId]| {
            let mut nodes = nodes.to_vec();
            nodes.sort_unstable();
            nodes
        };
        self.imported == other.imported && sorted(&self.needed) == sorted(&other.needed)
    }
}
