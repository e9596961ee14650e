//! The frame of every binary artifact.
//!
//! | bytes | content |
//! |---|---|
//! | 0..8 | magic, ASCII, tells the kind of artifact |
//! | 8..12 | format version of that kind, little-endian `u32` |
//! | 12..44 | BLAKE3 digest of the bytes that follow |
//! | 44.. | the record, in bincode 2's `standard` format; where the kind says so, its length as a little-endian `u32` and then an LZ4 block |
//!
//! The digest is there because an artifact travels through caches and networks: a flipped bit must
//! be an error and never another meaning. bincode's format is written by `wincode`; the `bincode`
//! crate itself is unmaintained and serves only as the oracle of a test.

use std::io::{self, Seek, SeekFrom, Write};

use lz4_flex::block;
use thiserror::Error;
use wincode::config::{Configuration, Deserialize, Serialize};
use wincode::io::Cursor;
use wincode::{SchemaWrite, WriteError};

const DIGEST_START: usize = 12;
pub(crate) const RECORD_START: usize = 44;

/// The most bytes that a length prefix may make a decoder allocate before it has read them: larger
/// than any real list of a unit, small enough that a hostile length costs nothing.
const PREALLOCATION_LIMIT: usize = 256 << 20;

/// The configuration under which wincode writes what bincode 2 calls `standard`.
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

/// The most bytes that a record may come to: a hostile file could otherwise ask for more memory than
/// there is.
const LARGEST_RECORD: usize = 256 << 20;

/// The record that was `compressed`, in `room`.
fn decompressed<'room>(compressed: &[u8], room: &'room mut Vec<u8>) -> Result<&'room [u8], String> {
    let (size, block) =
        block::uncompressed_size(compressed).map_err(|_| "the length of its record is cut off")?;
    if size > LARGEST_RECORD {
        return Err(format!("its record takes more than {LARGEST_RECORD} bytes"));
    }
    if room.len() < size {
        room.resize(size, 0);
    }
    let size = block::decompress_into(block, &mut room[..size])
        .map_err(|error| format!("it cannot be decompressed: {error}"))?;
    Ok(&room[..size])
}

/// What has a frame of its own.
pub trait Artifact: Sized {
    /// What the record is called in messages, such as `summary`.
    const KIND: &'static str;
    /// First eight bytes of the file.
    const MAGIC: [u8; 8];
    /// Raised whenever the meaning of the bytes changes. Readers take exactly their own version.
    const VERSION: u32;
    /// The record is compressed. Worth it where names repeat each other.
    const COMPRESSED: bool = false;

    /// Appends the record to `file`: the value itself, or a more compact form of it.
    fn write(&self, file: &mut Vec<u8>) -> Result<(), String>;

    /// The value of a record's bytes. The error says why they stand for none.
    fn read(record: &[u8]) -> Result<Self, String>;

    /// The whole file as bytes. Equal values give equal bytes.
    fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        frame::<Self>(|file| self.write(file))
    }

    /// Reads a whole file; nothing may follow the record.
    fn decode(file: &[u8]) -> Result<Self, DecodeError> {
        open::<Self, _>(file, &mut Vec::new(), Self::read)
    }
}

/// What comes before the record, with room for the digest, which is known last.
fn head<A: Artifact>() -> [u8; RECORD_START] {
    let mut head = [0; RECORD_START];
    head[..8].copy_from_slice(&A::MAGIC);
    head[8..DIGEST_START].copy_from_slice(&A::VERSION.to_le_bytes());
    head
}

/// A whole file, whose record `write` appends.
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

/// Writes a whole file whose record comes in `pieces`, as it is too large to be in memory.
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

/// Checks the frame of a whole file, and gives the record in it to `read`. It is decompressed in `room`.
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

/// Appends a record that is written as it is: to `file` at once, as the largest records are too large to
/// be there twice.
pub fn write_whole<T>(record: &T, file: &mut Vec<u8>) -> Result<(), String>
where
    T: Serialize<Format, Src = T>,
{
    let size = <T as SchemaWrite<Format>>::size_of(record).map_err(|error| error.to_string())?;
    file.reserve_exact(size);
    write_small(record, file)
}

/// As [`write_whole`], for a record that is small enough for a few copies on the way: to find out its
/// size would take as long as to write it.
pub(crate) fn write_small<T>(record: &T, file: &mut Vec<u8>) -> Result<(), String>
where
    T: Serialize<Format, Src = T>,
{
    let end = file.len();
    T::serialize_into(Cursor::new_at(file, end), record, format())
        .map_err(|error: WriteError| error.to_string())
}

/// Appends an unsigned number of 16 bits or more, as the format has it: lists of millions of those are
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

/// Appends bytes or text with its length, as the format has it.
pub(crate) fn write_bytes(bytes: &[u8], file: &mut Vec<u8>) {
    write_number(bytes.len() as u64, file);
    file.extend_from_slice(bytes);
}

/// The value of a record that is written as it is.
pub fn read_whole<T>(record: &[u8]) -> Result<T, String>
where
    T: for<'de> Deserialize<'de, Format, Dst = T>,
{
    wincode::config::deserialize_exact(record, format()).map_err(|error| error.to_string())
}

/// A record could not be written. Only a length beyond the format's limits can cause it.
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

/// Why bytes are not the artifact they should be. The caller knows the file and adds its name.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum DecodeError {
    /// The first eight bytes are not this kind's.
    #[error("not a Weft {kind}: the file does not start with its magic number")]
    Magic {
        /// What was expected.
        kind: &'static str,
    },
    /// The file ends inside its header.
    #[error("truncated {kind}: {length} bytes end inside the header")]
    Truncated {
        /// What was expected.
        kind: &'static str,
        /// Length of the file in bytes.
        length: usize,
    },
    /// Another version of Weft wrote it.
    #[error(
        "{kind} of format version {found}, this program reads version {expected}: \
         make it again with the same version of Weft"
    )]
    Version {
        /// What was expected.
        kind: &'static str,
        /// The version in the file.
        found: u32,
        /// The version this program reads.
        expected: u32,
    },
    /// The digest does not match: truncated or changed after writing.
    #[error("damaged {kind}: its content does not match its digest")]
    Damaged {
        /// What was expected.
        kind: &'static str,
    },
    /// The digest matches, so a writer with another idea of the record wrote it.
    #[error("malformed {kind}: {reason}")]
    Record {
        /// What was expected.
        kind: &'static str,
        /// The decoder's words.
        reason: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

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
