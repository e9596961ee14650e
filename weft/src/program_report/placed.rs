//! Records of jobs in their places.

use weft_action::JobRecord;

/// A record with its place in the program.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) record: JobRecord,
    /// Position of the architecture; `None` if the job serves all.
    pub(super) link: Option<u32>,
    /// Position of the module; `None` for a thin link, and for a unit without device code.
    pub(super) module: Option<u32>,
}

impl Placed {
    /// Returns the time at which the job ended, in microseconds since 1970.
    pub(super) fn end(&self) -> u64 {
        self.record.start.saturating_add(self.record.took)
    }
}
