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

mod function;
mod head;
pub(crate) mod input;
mod module;
pub(crate) mod names;
mod sink;
mod sparse;
mod summaries;
mod symbol;
mod text;

use crate::encoding::{self, DecodeError};
use crate::{Artifact, SummaryFile};
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

fn read(record: &[u8], sink: &mut impl SummarySink) -> Result<(), Fault> {
    let mut input = Input::new(record);
    for _ in 0..input.length()? {
        module::read(&mut input, sink)?;
    }
    input.end()
}

/// Why a record that can be read means nothing.
pub(crate) type Fault = String;

/// Writes ascending positions as steps, the first one from 0.
fn steps(positions: impl IntoIterator<Item = u32>) -> impl Iterator<Item = u32> {
    let mut last = 0_u32;
    positions.into_iter().map(move |position| {
        let step = position.wrapping_sub(last);
        last = position;
        step
    })
}

/// The number of either sign that a zigzag stands for: 0, -1, 1, -2, as bincode and the record of
/// decisions write them.
#[inline]
pub(crate) fn of_zigzag(zigzag: u64) -> i64 {
    (zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed()
}

/// The number of a value in a list that holds every value there is.
pub(crate) fn number_in<T: PartialEq + Copy>(list: &[T], value: T) -> u8 {
    let number = list.iter().position(|known| *known == value);
    // A value that is in no list would get a number that no reader accepts.
    number.and_then(|number| u8::try_from(number).ok()).unwrap_or(u8::MAX)
}

/// Undoes [`number_in`]. `kind` says what the values are.
pub(crate) fn value_of<T: Copy>(list: &[T], number: u8, kind: &str) -> Result<T, Fault> {
    let value = list.get(usize::from(number)).copied();
    value.ok_or_else(|| no_value(number, kind))
}

/// As [`number_in`], of a value that may be missing: then 0, and else a number above it.
pub(crate) fn optional_number_in<T: PartialEq + Copy>(list: &[T], value: Option<T>) -> u8 {
    value.map_or(0, |value| number_in(list, value).saturating_add(1))
}

/// Undoes [`optional_number_in`].
pub(crate) fn optional_value_of<T: Copy>(
    list: &[T],
    number: u8,
    kind: &str,
) -> Result<Option<T>, Fault> {
    let Some(position) = number.checked_sub(1) else { return Ok(None) };
    let value = list.get(usize::from(position)).copied();
    value.map(Some).ok_or_else(|| no_value(number, kind))
}

fn no_value(number: u8, kind: &str) -> Fault {
    format!("there is no {kind} with the number {number}")
}
