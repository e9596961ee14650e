//! The records of summaries in files.
//!
//! In memory, every fact of a summary has a field. In a file most of these fields would be zero or
//! follow from others, and a build keeps a summary per unit. So the file holds these records, and
//! loading makes summaries from them:
//!
//! - names are sorted, so each is written as the length of the prefix that it shares with the name
//!   before it and the rest ([`names`]);
//! - GUIDs are not written: they are a function of the name, and of the module id for a local;
//! - small enums and flags share bytes ([`symbol`]);
//! - the counts of a function, which are nearly always zero, are written with a mask of those that
//!   are not ([`sparse`]);
//! - positions in sorted lists are written as steps;
//! - texts that nearly all modules share, such as the data layout, are numbers ([`text`]).
//!
//! The rest is compressed: the names of template instances repeat each other in the middle, too,
//! and the host's entries repeat the names of the device's symbols.
//!
//! Every record is in bincode's format. It is read piece by piece and passed to a [`SummarySink`]:
//! the thin link needs only the facts, and complete summaries of a large program would be millions
//! of small lists. The reader checks each length, number and position, and an error names an
//! impossible one.

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
    const VERSION: u32 = 13;
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
    /// Reads a whole file and passes its content to `sink` piece by piece, so that only the parts
    /// that `sink` keeps are in memory. After an error, `sink` holds pieces that must be discarded.
    /// The file is decompressed in `room`, so that a caller that reads many files allocates memory
    /// once.
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
