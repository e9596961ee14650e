//! The imports of one module.

use crate::model::ids::NodeId;
use weft_artifact::ImportRecord;

/// What one module gets from others. The lists name definitions of other modules.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Imports {
    /// Definitions whose bodies are imported, sorted.
    pub(crate) imported: Box<[NodeId]>,
    /// Definitions that must be visible to this module, first those whose bodies are imported.
    pub(crate) needed: Box<[NodeId]>,
    /// How many those are.
    pub(crate) needed_and_imported: usize,
    /// What was decided of every candidate.
    pub(crate) recorded: ImportRecord,
    /// What is to be printed of that.
    pub(crate) lines: String,
}
