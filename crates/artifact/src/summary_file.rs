//! The file of summaries.

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

use crate::{Artifact, Summary};

/// What `summarize` writes for one input and `thinlink` reads.
///
/// A unit gives one summary. An archive gives one per member, in the archive's order, named
/// `<id>/<member>`; an archive without members gives none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct SummaryFile {
    /// The units' summaries.
    pub summaries: Vec<Summary>,
}

impl From<Summary> for SummaryFile {
    fn from(summary: Summary) -> Self {
        Self { summaries: vec![summary] }
    }
}

impl Artifact for SummaryFile {
    const KIND: &'static str = "summary";
    const MAGIC: [u8; 8] = *b"WEFTSUMM";
    const VERSION: u32 = 2;
}
