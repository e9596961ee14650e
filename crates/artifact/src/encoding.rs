//! The frame of every binary artifact.
//!
//! | bytes | content |
//! |---|---|
//! | 0..8 | magic number in ASCII, which tells the kind of artifact |
//! | 8..12 | format version of that kind, little-endian `u32` |
//! | 12..44 | BLAKE3 digest of the bytes that follow |
//! | 44.. | the record, in bincode 2's `standard` format |
//!
//! The record of some kinds is compressed: its length is a little-endian `u32`, and an LZ4 block
//! follows.
//!
//! The digest is there because an artifact travels through caches and networks: a flipped bit must
//! be an error, and must never change the meaning. bincode's format is written by `wincode`; the
//! `bincode` crate itself is unmaintained and serves only as the oracle of a test.

use std::io::{self, Seek, SeekFrom, Write};

use lz4_flex::block;
use thiserror::Error;
use wincode::config::{Configuration, Deserialize, Serialize};
use wincode::io::Cursor;
use wincode::{SchemaWrite, WriteError};

const DIGEST_START: usize = 12;
pub(crate) const RECORD_START: usize = 44;

/// Maximum number of bytes that a length prefix makes a decoder allocate in advance. It is larger
/// than any real list of a unit, and so small that a hostile length costs nothing.
const PREALLOCATION_LIMIT: usize = 512 << 20;

/// Configuration in which wincode writes the format that bincode 2 calls `standard`.
pub type Format = Configuration<
    true,
    PREALLOCATION_LIMIT,
    wincode::len::BincodeLen,
    wincode::int_encoding::LittleEndian,
    wincode::int_encoding::VarInt,
    u32,
>;

pub(crate) fn format() -> Format {
    Format::new()
}

/// Maximum size of a record in bytes. Without it, a hostile file could ask for any amount of
/// memory.
const LARGEST_RECORD: usize = 256 << 20;

/// Maximum ratio of a record to its LZ4 block: one byte of a length encodes at most 255 bytes.
const LARGEST_FACTOR: usize = 255;

/// Decompresses a record into `room`, and returns it.
fn decompressed<'room>(compressed: &[u8], room: &'room mut Vec<u8>) -> Result<&'room [u8], String> {
    let (size, block) =
        block::uncompressed_size(compressed).map_err(|_| "the length of its record is cut off")?;
    if size > LARGEST_RECORD {
        return Err(format!("its record takes more than {LARGEST_RECORD} bytes"));
    }
    // A few bytes must not cost as much memory as the largest record.
    if size > block.len().saturating_mul(LARGEST_FACTOR) {
        return Err(format!("its record of {size} bytes cannot come from {} bytes", block.len()));
    }
    if room.len() < size {
        room.resize(size, 0);
    }
    let size = block::decompress_into(block, &mut room[..size])
        .map_err(|error| format!("it cannot be decompressed: {error}"))?;
    Ok(&room[..size])
}

/// A value stored in its own file and frame.
pub trait Artifact: Sized {
    /// Name of the artifact in messages, such as `summary`.
    const KIND: &'static str;
    /// First eight bytes of the file.
    const MAGIC: [u8; 8];
    /// Version of the format, which is raised whenever the meaning of the bytes changes. Readers
    /// accept exactly their own version.
    const VERSION: u32;
    /// Whether the record is compressed, which pays where names repeat each other.
    const COMPRESSED: bool = false;

    /// Appends the record to `file`: the value itself, or a more compact form.
    fn write(&self, file: &mut Vec<u8>) -> Result<(), String>;

    /// Decodes the bytes of a record. The error names their fault.
    fn read(record: &[u8]) -> Result<Self, String>;

    /// Returns the whole file as bytes. Equal values give equal bytes.
    fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        frame::<Self>(|file| self.write(file))
    }

    /// Reads a whole file; nothing may follow the record.
    fn decode(file: &[u8]) -> Result<Self, DecodeError> {
        open::<Self, _>(file, &mut Vec::new(), Self::read)
    }
}

/// Returns the bytes before the record, with room for the digest, which is known last.
fn head<A: Artifact>() -> [u8; RECORD_START] {
    let mut head = [0; RECORD_START];
    head[..8].copy_from_slice(&A::MAGIC);
    head[8..DIGEST_START].copy_from_slice(&A::VERSION.to_le_bytes());
    head
}

/// Returns a whole file, whose record `write` appends.
pub(crate) fn frame<A: Artifact>(
    write: impl FnOnce(&mut Vec<u8>) -> Result<(), String>,
) -> Result<Vec<u8>, EncodeError> {
    let mut file = head::<A>().to_vec();
    write(&mut file).map_err(EncodeError::of::<A>)?;
    if A::COMPRESSED {
        let compressed = block::compress_prepend_size(&file[RECORD_START..]);
        file.truncate(RECORD_START);
        file.extend_from_slice(&compressed);
    }
    let digest = crate::digest(&file[RECORD_START..]);
    file[DIGEST_START..RECORD_START].copy_from_slice(digest.as_bytes());
    Ok(file)
}

/// Writes a whole file whose record comes in `pieces`, as it is too large for the memory.
pub(crate) fn write_frame<A: Artifact>(
    pieces: impl IntoIterator<Item = Vec<u8>>,
    file: &mut (impl Write + Seek),
) -> io::Result<()> {
    const { assert!(!A::COMPRESSED, "the record would have to be whole") };
    file.write_all(&head::<A>())?;
    let mut hasher = blake3::Hasher::new();
    for piece in pieces {
        hasher.update(&piece);
        file.write_all(&piece)?;
    }
    file.seek(SeekFrom::Start(DIGEST_START as u64))?;
    file.write_all(hasher.finalize().as_bytes())
}

/// Checks the frame of a whole file, and passes the record to `read`. A compressed record is
/// decompressed in `room`.
pub(crate) fn open<A: Artifact, T>(
    file: &[u8],
    room: &mut Vec<u8>,
    read: impl FnOnce(&[u8]) -> Result<T, String>,
) -> Result<T, DecodeError> {
    let kind = A::KIND;
    if file.get(..8) != Some(&A::MAGIC) {
        return Err(DecodeError::Magic { kind });
    }
    let Some((version, digest)) = file
        .get(8..DIGEST_START)
        .and_then(|bytes| bytes.try_into().ok())
        .map(u32::from_le_bytes)
        .zip(file.get(DIGEST_START..RECORD_START))
    else {
        return Err(DecodeError::Truncated { kind, length: file.len() });
    };
    if version != A::VERSION {
        return Err(DecodeError::Version { kind, found: version, expected: A::VERSION });
    }
    let record = &file[RECORD_START..];
    if crate::digest(record).as_bytes() != digest {
        return Err(DecodeError::Damaged { kind });
    }
    let malformed = |reason| DecodeError::Record { kind, reason };
    let record =
        if A::COMPRESSED { decompressed(record, room).map_err(malformed)? } else { record };
    read(record).map_err(malformed)
}

/// Appends `record` in the format, without a copy, as the largest records would take too much
/// memory twice.
pub fn write_whole<T>(record: &T, file: &mut Vec<u8>) -> Result<(), String>
where
    T: Serialize<Format, Src = T>,
{
    let size = <T as SchemaWrite<Format>>::size_of(record).map_err(|error| error.to_string())?;
    file.reserve_exact(size);
    write_small(record, file)
}

/// Appends `record` as [`write_whole`] does, but lets `file` grow on the way: to compute the size
/// of a small record first would take as long as to write it.
pub(crate) fn write_small<T>(record: &T, file: &mut Vec<u8>) -> Result<(), String>
where
    T: Serialize<Format, Src = T>,
{
    let end = file.len();
    T::serialize_into(Cursor::new_at(file, end), record, format())
        .map_err(|error: WriteError| error.to_string())
}

/// Appends an unsigned number of 16 bits or more in the format. Lists of millions of numbers are
/// written piece by piece.
#[inline]
pub(crate) fn write_number(number: u64, file: &mut Vec<u8>) {
    match u8::try_from(number) {
        Ok(small @ ..=250) => file.push(small),
        _ => write_large_number(number, file),
    }
}

#[inline(never)]
fn write_large_number(number: u64, file: &mut Vec<u8>) {
    let bytes = number.to_le_bytes();
    match number {
        ..=0xFFFF => file.extend_from_slice(&[251, bytes[0], bytes[1]]),
        0x1_0000..=0xFFFF_FFFF => {
            file.extend_from_slice(&[252, bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        _ => {
            file.push(253);
            file.extend_from_slice(&bytes);
        }
    }
}

/// Appends bytes or text with the length, in the format.
pub(crate) fn write_bytes(bytes: &[u8], file: &mut Vec<u8>) {
    write_number(bytes.len() as u64, file);
    file.extend_from_slice(bytes);
}

/// Decodes a record that [`write_whole`] wrote.
pub fn read_whole<T>(record: &[u8]) -> Result<T, String>
where
    T: for<'de> Deserialize<'de, Format, Dst = T>,
{
    wincode::config::deserialize_exact(record, format()).map_err(|error| error.to_string())
}

/// The error of writing a record. Only a length beyond the format's limits can cause it.
#[derive(Debug, Error)]
#[error("cannot encode the {kind}: {reason}")]
pub struct EncodeError {
    kind: &'static str,
    reason: String,
}

impl EncodeError {
    fn of<A: Artifact>(reason: String) -> Self {
        Self { kind: A::KIND, reason }
    }
}

/// The reason why bytes are not the expected artifact. The caller adds the file's name.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum DecodeError {
    /// The first eight bytes are not the magic number of the kind.
    #[error("not a Weft {kind}: the file does not start with its magic number")]
    Magic {
        /// Expected kind of artifact.
        kind: &'static str,
    },
    /// The file ends inside its header.
    #[error("truncated {kind}: {length} bytes end inside the header")]
    Truncated {
        /// Expected kind of artifact.
        kind: &'static str,
        /// Length of the file in bytes.
        length: usize,
    },
    /// Another version of Weft wrote the file.
    #[error(
        "{kind} of format version {found}, this program reads version {expected}: \
         make it again with the same version of Weft"
    )]
    Version {
        /// Expected kind of artifact.
        kind: &'static str,
        /// Version in the file.
        found: u32,
        /// Version that this program reads.
        expected: u32,
    },
    /// The digest does not match, so the file was truncated or changed after it was written.
    #[error("damaged {kind}: its content does not match its digest")]
    Damaged {
        /// Expected kind of artifact.
        kind: &'static str,
    },
    /// The digest matches, but the record has no meaning: its writer had another idea of the
    /// format.
    #[error("malformed {kind}: {reason}")]
    Record {
        /// Expected kind of artifact.
        kind: &'static str,
        /// Message of the decoder.
        reason: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plan;

    #[test]
    fn a_record_that_cannot_be_written_is_named() {
        let error = frame::<Plan>(|_| Err("a list is too long".to_owned())).unwrap_err();
        assert_eq!(error.to_string(), "cannot encode the plan: a list is too long");
    }

    /// A file of a few bytes must not make its reader ask for all memory. The block here is
    /// invalid, so an allowed length leads to another error.
    #[test]
    fn lengths_that_no_block_can_stand_for_are_refused() {
        let refusal = |size: usize, block: usize| {
            let size = u32::try_from(size).unwrap_or(u32::MAX).to_le_bytes();
            let record = [&size[..], &vec![0; block]].concat();
            decompressed(&record, &mut Vec::new()).err().unwrap_or_default()
        };
        let most = 10 * LARGEST_FACTOR;
        assert!(refusal(most, 10).starts_with("it cannot be decompressed"));
        assert_eq!(refusal(most + 1, 10), "its record of 2551 bytes cannot come from 10 bytes");
        let largest = refusal(LARGEST_RECORD, 10);
        assert_eq!(largest, "its record of 268435456 bytes cannot come from 10 bytes");
        let enough = LARGEST_RECORD / LARGEST_FACTOR + 1;
        let larger = refusal(LARGEST_RECORD + 1, enough);
        assert_eq!(larger, "its record takes more than 268435456 bytes");
        assert_eq!(refusal(usize::MAX, 0), larger);
    }

    #[test]
    fn numbers_are_written_as_the_format_has_them() -> Result<(), String> {
        for power in 0..64 {
            for number in [1 << power, (1_u64 << power) - 1, (1 << power) + 250] {
                let (mut by_hand, mut expected) = (Vec::new(), Vec::new());
                write_number(number, &mut by_hand);
                write_small(&number, &mut expected)?;
                assert_eq!(by_hand, expected, "{number}");
            }
        }
        Ok(())
    }
}
