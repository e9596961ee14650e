//! NVIDIA's fat binary, in which nvcc and fatbinary pack device images.
//!
//! NVIDIA does not publish the layout. This description follows public readers of the format, and
//! was checked against files of nvcc and fatbinary of CUDA 13.5. Numbers are little-endian.
//!
//! | bytes of the container | content |
//! |---|---|
//! | 0..4 | magic `50 ED 55 BA` |
//! | 4..6 | version, 1 |
//! | 6..8 | size of this header, 16 |
//! | 8..16 | size of the entries that follow |
//!
//! | bytes of an entry | content |
//! |---|---|
//! | 0..2 | kind: 1 PTX, 2 ELF, 8 LTO IR |
//! | 2..4 | version, `0x101` |
//! | 4..8 | size of this header: 64, and more where options and a file name follow |
//! | 8..16 | size of the payload after the header, padded to eight bytes |
//! | 16..20 | size of the payload if it is compressed, without padding |
//! | 20..24 | offset in the header of the place of the options, 0 without options |
//! | 24..28 | version of the content, as two numbers |
//! | 28..32 | architecture, such as 90 |
//! | 32..40 | offset in the header and size of the source file's name, 0 without one |
//! | 40..48 | flags |
//! | 56..64 | size of the payload before compression |
//!
//! The place of the options is their offset in the header and their size, in four bytes each. They
//! are text that ends with a zero, such as `-ftz=0 -prec_div=1 `.
//!
//! The flags are `0x2000` for an LZ4 block, `0x8000` for a Zstandard frame, `0x10000` for content
//! that is scrambled as well (LTO IR), `0x100000` and `0x200000` for the `a` and `f` variants of
//! the architecture.
//!
//! In an object, containers follow each other in `.nv_fatbin`, or in `__nv_relfatbin` where the
//! code is relocatable (`-dc`). The wrapper in `.nvFatBinSegment` (magic `0x466243B1`) only points
//! there.

use thiserror::Error;

use crate::bytes::{read_size, read_u16, read_u32, read_u64, slice};
use crate::decompress::Compression;

const MAGIC: [u8; 4] = [0x50, 0xED, 0x55, 0xBA];
const VERSION: u16 = 1;
const SIZE_OF_HEADER: u16 = 16;
const HEADER_SIZE: usize = SIZE_OF_HEADER as usize;
const ENTRY_HEADER_SIZE: usize = 64;

/// Version of the content of an entry with LTO IR, of CUDA 13. nvlink reads the version in the
/// content.
const LTO_IR_VERSION: u32 = 0x1_0043;

const SIXTY_FOUR_BITS: u64 = 0x11;
const LZ4: u64 = 0x2000;
const ZSTANDARD: u64 = 0x8000;
const SCRAMBLED: u64 = 0x1_0000;
const ACCELERATED: u64 = 0x10_0000;
const FAMILY: u64 = 0x20_0000;

/// One image of a fat binary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FatbinEntry<'data> {
    /// Kind of the image.
    pub kind: FatbinKind,
    /// Architecture, such as `sm_90a`.
    pub architecture: String,
    /// Stored bytes of the image, without padding if they are compressed.
    pub content: &'data [u8],
    /// Compression of the image.
    pub compression: Compression,
    /// Size in bytes before compression.
    pub size: usize,
    /// Options of the compilation as the entry states them, such as `-ftz=0 -prec_div=1`.
    pub options: &'data [u8],
    /// The entry's own header and payload as they are in the container.
    pub(crate) bytes: &'data [u8],
}

/// Kinds of image in a fat binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FatbinKind {
    /// PTX text.
    Ptx,
    /// A cubin.
    Elf,
    /// NVIDIA's LTO IR.
    LtoIr,
    /// A kind that this version does not know.
    Other(u16),
}

/// The reason why bytes are no fat binary.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FatbinError {
    /// A container does not start with the magic number.
    #[error("no fat binary at byte {offset}: the magic number is missing")]
    Magic {
        /// Offset from the start of the data.
        offset: usize,
    },
    /// The version is unknown to this reader.
    #[error("fat binary of version {found} at byte {offset}, this program reads version 1")]
    Version {
        /// Offset of the container.
        offset: usize,
        /// Version of the container.
        found: u16,
    },
    /// A part lies outside the container.
    #[error("malformed fat binary at byte {offset}: {part} is out of bounds")]
    OutOfBounds {
        /// Offset of the container or the entry.
        offset: usize,
        /// Name of the part.
        part: &'static str,
    },
    /// A payload does not decompress to its stated size.
    #[error("malformed fat binary: an entry for {architecture} does not decompress")]
    Compressed {
        /// Architecture of the entry.
        architecture: String,
    },
}

/// Whether `data` starts like a fat binary.
pub(crate) fn is_fatbin(data: &[u8]) -> bool {
    data.starts_with(&MAGIC)
}

/// Returns the entries of all containers in `data`, in order.
pub fn fatbin_entries(data: &[u8]) -> Result<Vec<FatbinEntry<'_>>, FatbinError> {
    Ok(containers(data)?.into_iter().flatten().collect())
}

/// Returns the entries of each container in `data`, in order. A compiler writes one container for
/// a unit, and linkers put those of several units behind each other.
pub(crate) fn containers(data: &[u8]) -> Result<Vec<Vec<FatbinEntry<'_>>>, FatbinError> {
    let mut containers = Vec::new();
    let mut offset = 0;
    // Linkers put padding between concatenated containers.
    while let Some(padding) = data[offset..].iter().position(|&byte| byte != 0) {
        offset += padding;
        let mut entries = Vec::new();
        offset += read_container(&data[offset..], offset, &mut entries)?;
        containers.push(entries);
    }
    Ok(containers)
}

/// Returns a container with one entry, whose header and payload are `entry`.
pub(crate) fn container_of(entry: &[u8]) -> Vec<u8> {
    let mut data = MAGIC.to_vec();
    data.extend(VERSION.to_le_bytes());
    data.extend(SIZE_OF_HEADER.to_le_bytes());
    data.extend((entry.len() as u64).to_le_bytes());
    data.extend(entry);
    data
}

/// Returns a container with the LTO IR `content` for the architecture with the number
/// `architecture`, of the variant `variant`. It states no options.
pub(crate) fn container_of_lto_ir(content: &[u8], architecture: u32, variant: &str) -> Vec<u8> {
    /// Place of the options behind the header, and options of no characters.
    const NO_OPTIONS: [u8; 16] = [72, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let flags = SIXTY_FOUR_BITS
        | match variant {
            "a" => ACCELERATED,
            "f" => FAMILY,
            _ => 0,
        };
    let padded = content.len().next_multiple_of(8);
    let mut entry = vec![0; ENTRY_HEADER_SIZE];
    for (place, number) in [(0, 0x101_0008_u32), (4, 80), (20, 64), (24, LTO_IR_VERSION)] {
        entry[place..place + 4].copy_from_slice(&number.to_le_bytes());
    }
    entry[8..16].copy_from_slice(&(padded as u64).to_le_bytes());
    entry[28..32].copy_from_slice(&architecture.to_le_bytes());
    entry[40..48].copy_from_slice(&flags.to_le_bytes());
    entry.extend(NO_OPTIONS);
    entry.extend(content);
    entry.resize(80 + padded, 0);
    container_of(&entry)
}

/// Reads the container at the start of `data`, and returns its size.
fn read_container<'data>(
    data: &'data [u8],
    offset: usize,
    entries: &mut Vec<FatbinEntry<'data>>,
) -> Result<usize, FatbinError> {
    let outside = |part| FatbinError::OutOfBounds { offset, part };
    if !is_fatbin(data) {
        return Err(FatbinError::Magic { offset });
    }
    let version = read_u16(data, 4).ok_or(outside("the header"))?;
    if version != VERSION {
        return Err(FatbinError::Version { offset, found: version });
    }
    let header_size = usize::from(read_u16(data, 6).ok_or(outside("the header"))?);
    if header_size < HEADER_SIZE {
        return Err(outside("the header"));
    }
    let size = read_size(data, 8).ok_or(outside("the header"))?;
    let content = slice(data, header_size, size).ok_or(outside("the end"))?;
    let mut position = 0;
    while position < content.len() {
        let (entry, size) = read_entry(&content[position..], offset + header_size + position)?;
        entries.push(entry);
        position += size;
    }
    Ok(header_size + size)
}

/// Reads the entry at the start of `data`, and returns it with its size.
fn read_entry(data: &[u8], offset: usize) -> Result<(FatbinEntry<'_>, usize), FatbinError> {
    let outside = |part| FatbinError::OutOfBounds { offset, part };
    let header = data.get(..ENTRY_HEADER_SIZE).ok_or(outside("an entry"))?;
    let number = |at| read_u32(header, at).ok_or(outside("an entry"));
    let header_size = usize::try_from(number(4)?).map_err(|_| outside("an entry"))?;
    if header_size < ENTRY_HEADER_SIZE {
        return Err(outside("an entry"));
    }
    let payload_size = read_size(header, 8).ok_or(outside("an entry"))?;
    let payload = slice(data, header_size, payload_size).ok_or(outside("a payload"))?;
    let flags = read_u64(header, 40).ok_or(outside("an entry"))?;
    let compression = match (flags & SCRAMBLED, flags & ZSTANDARD, flags & LZ4) {
        (0, 0, 0) => Compression::None,
        (0, 0, _) => Compression::Lz4,
        (0, _, _) => Compression::Zstandard,
        _ => Compression::Scrambled,
    };
    let (content, size) = if compression == Compression::None {
        (payload, payload.len())
    } else {
        let stored = usize::try_from(number(16)?).map_err(|_| outside("a payload"))?;
        let size = read_size(header, 56).ok_or(outside("an entry"))?;
        (payload.get(..stored).ok_or(outside("a payload"))?, size)
    };
    let kind = match read_u16(header, 0).ok_or(outside("an entry"))? {
        1 => FatbinKind::Ptx,
        2 => FatbinKind::Elf,
        8 => FatbinKind::LtoIr,
        other => FatbinKind::Other(other),
    };
    let variant = match (flags & ACCELERATED, flags & FAMILY) {
        (0, 0) => "",
        (0, _) => "f",
        _ => "a",
    };
    let architecture = format!("sm_{}{variant}", number(28)?);
    let options = options(&data[..header_size]).ok_or(outside("the options of an entry"))?;
    let bytes = &data[..header_size + payload_size];
    let entry = FatbinEntry { kind, architecture, content, compression, size, options, bytes };
    Ok((entry, header_size + payload_size))
}

/// Returns the options that the header of an entry states; empty if it states none.
fn options(header: &[u8]) -> Option<&[u8]> {
    let number = |at| usize::try_from(read_u32(header, at)?).ok();
    let place = number(20)?;
    if place == 0 {
        return Some(&[]);
    }
    let text = slice(header, number(place)?, number(place.checked_add(4)?)?)?;
    let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
    Some(text.trim_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a container with `entries`, given by kind, architecture, flags, payload, and size
    /// before compression.
    fn container(entries: &[(u16, u32, u64, &[u8], usize)]) -> Vec<u8> {
        let mut content = Vec::new();
        for &(kind, architecture, flags, payload, size) in entries {
            let padded = payload.len().next_multiple_of(8);
            let mut header = vec![0; ENTRY_HEADER_SIZE];
            header[..2].copy_from_slice(&kind.to_le_bytes());
            header[2..4].copy_from_slice(&0x101_u16.to_le_bytes());
            header[4] = 64;
            header[8..16].copy_from_slice(&(padded as u64).to_le_bytes());
            header[16..24].copy_from_slice(&(payload.len() as u64).to_le_bytes());
            header[28..32].copy_from_slice(&architecture.to_le_bytes());
            header[40..48].copy_from_slice(&flags.to_le_bytes());
            header[56..64].copy_from_slice(&(size as u64).to_le_bytes());
            content.extend(header);
            content.extend(payload);
            content.resize(content.len().next_multiple_of(8), 0);
        }
        let mut data = MAGIC.to_vec();
        data.extend(VERSION.to_le_bytes());
        data.extend([16, 0]);
        data.extend((content.len() as u64).to_le_bytes());
        data.extend(content);
        data
    }

    #[test]
    fn entries_of_several_padded_containers_are_read_in_order() -> Result<(), FatbinError> {
        let mut data = container(&[(2, 90, 0x10_8011, b"zstd!", 500), (1, 75, 0x11, b"text", 0)]);
        data.extend([0; 24]);
        data.extend(container(&[(8, 103, 0x21_8011, b"ir", 9), (77, 100, 0x20_2011, b"", 0)]));
        data.extend([0; 3]);
        let entries = fatbin_entries(&data)?;
        let facts: Vec<_> = entries
            .iter()
            .map(|entry| {
                let FatbinEntry { kind, architecture, compression, content, size, .. } = entry;
                (*kind, architecture.as_str(), *compression, *content, *size)
            })
            .collect();
        let expected: [(_, _, _, &[u8], _); 4] = [
            (FatbinKind::Elf, "sm_90a", Compression::Zstandard, b"zstd!", 500),
            (FatbinKind::Ptx, "sm_75", Compression::None, b"text\0\0\0\0", 8),
            (FatbinKind::LtoIr, "sm_103f", Compression::Scrambled, b"ir", 9),
            (FatbinKind::Other(77), "sm_100f", Compression::Lz4, b"", 0),
        ];
        assert_eq!(facts, expected);
        Ok(())
    }

    #[test]
    fn every_truncation_is_refused_and_no_changed_byte_panics() {
        let data = container(&[(2, 90, 0x8011, b"12345678", 500), (1, 75, 0x11, b"12345678", 0)]);
        for length in 1..data.len() {
            assert!(fatbin_entries(&data[..length]).is_err(), "cut at {length}");
        }
        for position in 0..data.len() {
            for value in [0, 1, 0x7F, 0xFF] {
                let mut changed = data.clone();
                changed[position] = value;
                let _ = fatbin_entries(&changed);
            }
        }
    }

    #[test]
    fn another_version_is_named() {
        let mut data = container(&[]);
        data[4] = 2;
        assert_eq!(fatbin_entries(&data), Err(FatbinError::Version { offset: 0, found: 2 }));
        assert_eq!(fatbin_entries(b"text"), Err(FatbinError::Magic { offset: 0 }));
        assert_eq!(fatbin_entries(&[0; 9]), Ok(Vec::new()));
    }

    #[test]
    fn an_error_names_the_place_of_the_entry() {
        let one = container(&[]);
        let mut data = [one, container(&[(1, 75, 0, b"12345678", 0), (1, 75, 0, b"", 0)])].concat();
        // The second entry follows two containers' headers, and the first entry with its payload.
        let place = 16 + 16 + 72;
        data[place + 8] = 1;
        let error = FatbinError::OutOfBounds { offset: place, part: "a payload" };
        assert_eq!(fatbin_entries(&data), Err(error));
    }

    #[test]
    fn headers_may_be_longer_but_not_shorter() {
        let data = container(&[(1, 75, 0x11, b"12345678", 0)]);
        for (position, size) in [(6, 16), (16 + 4, 64)] {
            let end = (position / 16) * 16 + size;
            let mut longer = data.clone();
            longer.splice(end..end, [1; 8]);
            longer[position] += 8;
            // The container's own header does not count in its size.
            longer[8] += if position == 6 { 0 } else { 8 };
            let entries = fatbin_entries(&longer).unwrap();
            assert_eq!((entries.len(), entries[0].content), (1, &b"12345678"[..]));
            let mut shorter = data.clone();
            shorter[position] -= 1;
            let error = fatbin_entries(&shorter).unwrap_err();
            assert!(matches!(error, FatbinError::OutOfBounds { .. }), "{error}");
        }
    }
}
