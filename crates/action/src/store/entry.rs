//! A result as the cache keeps it.

use weft_artifact::Artifact;
use weft_artifact::encoding::{read_whole, write_whole};
use wincode::{SchemaRead, SchemaWrite};

use crate::action::Outcome;
use crate::key::Field;

/// One result. Its frame holds a digest of everything in it, and its key follows from its fields: a
/// file that was damaged, cut off or given another's name is told from what was written.
#[derive(Clone, Debug, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub struct Entry {
    /// What the result depends on.
    pub fields: Vec<Field>,
    /// Contents of the outputs, in the order of the action.
    pub outputs: Vec<Vec<u8>>,
    /// What the action wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
    /// How long it took, in microseconds, to tell what was saved.
    pub microseconds: u64,
}

impl Entry {
    /// What the action left, and how long it took.
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
