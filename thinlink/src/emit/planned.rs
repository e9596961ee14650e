//! The plan of a module as a file.

use weft_artifact::ModuleId;

use super::decided::Tally;

/// The plan of one module, with facts about it for the manifest.
pub(crate) struct Planned<'units> {
    /// The file of its plan.
    pub(crate) content: Vec<u8>,
    /// The modules that it imports from.
    pub(crate) sources: Vec<&'units ModuleId>,
    pub(crate) tally: Tally,
    /// Number of instructions that the module's optimizer sees.
    pub(crate) cost: u64,
    /// Whether nothing of the module is emitted.
    pub(crate) is_empty: bool,
}
