//! The form in which the cache keeps a result.

use weft_artifact::Artifact;
use weft_artifact::encoding::{read_whole, write_whole};
use wincode::{SchemaRead, SchemaWrite};

use crate::action::Outcome;
use crate::key::Field;

/// One result. Its frame holds a digest of everything in it, and its key follows from its fields,
/// so that a file that was damaged, cut off or renamed is recognized.
#[derive(Clone, Debug, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub struct Entry {
    /// Fields that the result depends on.
    pub fields: Vec<Field>,
    /// Contents of the outputs, in the order of the action.
    pub outputs: Vec<Vec<u8>>,
    /// Bytes that the action wrote to standard output.
    pub stdout: Vec<u8>,
    /// Bytes that the action wrote to standard error.
    pub stderr: Vec<u8>,
    /// Duration of the action in microseconds, from which the saved time is computed.
    pub microseconds: u64,
}

impl Entry {
    /// Returns the outcome, and the duration of the action in microseconds.
    pub fn into_outcome(self) -> (Outcome, u64) {
        let Self { outputs, stdout, stderr, microseconds, .. } = self;
        (Outcome { outputs, stdout, stderr }, microseconds)
    }
}

impl Artifact for Entry {
    const KIND: &'static str = "cache entry";
    const MAGIC: [u8; 8] = *b"WEFTENTR";
    const VERSION: u32 = 1;

    fn write(&self, file: &mut Vec<u8>) -> Result<(), String> {
        write_whole(self, file)
    }

    fn read(record: &[u8]) -> Result<Self, String> {
        read_whole(record)
    }
}
