//! The file of summaries.

use serde::Serialize;

use crate::Summary;

/// The summaries that `summarize` writes for one input and `thinlink` reads.
///
/// A unit gives one summary. An archive gives one per member, in the archive's order, named
/// `<id>/<member>`; an archive without members gives none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SummaryFile {
    /// The units' summaries.
    pub summaries: Vec<Summary>,
}

impl From<Summary> for SummaryFile {
    fn from(summary: Summary) -> Self {
        Self { summaries: vec![summary] }
    }
}
