//! The records that summaries are written as.
//!
//! A summary in memory is made for reading: every fact has a field. On disk most of those fields are
//! zero, or follow from others, and a build keeps a summary per unit. So the file holds these
//! records, and loading makes the summary of them:
//!
//! - names are sorted, so each is written as the length of what it shares with the one before it and
//!   the rest ([`names`]);
//! - GUIDs are not written: they are a function of the name, and of the module id for a local;
//! - small enums and flags share bytes ([`symbol`]);
//! - the many counts of a function that are nearly always zero are written with a mask that says
//!   which are not ([`sparse`]);
//! - positions in sorted lists are written as steps;
//! - texts that nearly all modules have in common, such as the data layout, are numbers
//!   ([`text`]).
//!
//! What is left is compressed: the names of template instances repeat each other in the middle, too,
//! and the host's entries repeat the names of the device's symbols.
//!
//! Every record is in bincode's format like the rest. It is read piece by piece and handed to a
//! [`SummarySink`], as the thin link has no use for summaries in full, only for their facts: of those
//! of a large program it would otherwise make millions of little lists. Reading checks what it undoes: a
//! length, a number or a position that cannot be is an error that names it.

pub(crate) mod error;
mod function;
mod head;
pub(crate) mod input;
mod module;
pub(crate) mod names;
pub(crate) mod numbers;
mod sink;
mod sparse;
mod summaries;
mod symbol;
mod text;

use crate::encoding::{self, DecodeError};
use crate::{Artifact, SummaryFile};
use error::RecordError;
use input::Input;
use module::SummaryRecord;
use summaries::Summaries;

pub use head::FunctionHead;
pub use sink::{BodyHead, SummarySink, SymbolHead};

impl Artifact for SummaryFile {
    const KIND: &'static str = "summary";
    const MAGIC: [u8; 8] = *b"WEFTSUMM";
    const VERSION: u32 = 7;
    const COMPRESSED: bool = true;

    fn write(&self, file: &mut Vec<u8>) -> Result<(), String> {
        let summaries: Vec<_> = self.summaries.iter().map(SummaryRecord::of).collect();
        encoding::write_whole(&summaries, file)
    }

    fn read(record: &[u8]) -> Result<Self, String> {
        let mut summaries = Summaries::default();
        read(record, &mut summaries)?;
        Ok(Self { summaries: summaries.finish() })
    }
}

impl SummaryFile {
    /// Reads a whole file and gives what it holds to `sink` piece by piece, so that nothing is in memory
    /// that `sink` does not keep. What an unusable file gave before that was seen is to be
    /// thrown away. It is decompressed in `room`, so that who reads many asks for memory once.
    pub fn read_into(
        file: &[u8],
        room: &mut Vec<u8>,
        sink: &mut impl SummarySink,
    ) -> Result<(), DecodeError> {
        encoding::open::<Self, _>(file, room, |record| read(record, sink))
    }
}

fn read(record: &[u8], sink: &mut impl SummarySink) -> Result<(), RecordError> {
    let mut input = Input::new(record);
    for _ in 0..input.length()? {
        module::read(&mut input, sink)?;
    }
    input.end()
}
