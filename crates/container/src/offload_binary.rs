//! LLVM's offload binary, version 1, in which clang packs device images into a host object.
//!
//! | bytes | content |
//! |---|---|
//! | 0..4 | magic `10 FF 10 AD` |
//! | 4..8 | version, 1 |
//! | 8..16 | size of the whole binary, itself included |
//! | 16..32 | offset and size of the entry |
//!
//! The entry holds image kind `u16`, offload kind `u16`, flags `u32`, and then as `u64` the offset
//! and number of string pairs and the offset and size of the image. A pair is two offsets of
//! NUL-terminated strings. Offsets count from the binary's start; numbers are little-endian.
//! Several binaries may follow each other: those of several architectures, and those of several
//! units in an object that `ld -r` made. Compilers pad each to eight bytes and linkers to a
//! section's alignment.

use thiserror::Error;

use crate::bytes::{read_size, read_u16, read_u32, slice};

const MAGIC: [u8; 4] = [0x10, 0xFF, 0x10, 0xAD];
const VERSION: u32 = 1;
const HEADER_SIZE: usize = 32;

/// One device image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image<'data> {
    /// Kind of the content.
    pub kind: ImageKind,
    /// Target triple, such as `nvptx64-nvidia-cuda`; empty if not stated.
    pub triple: &'data str,
    /// Architecture, such as `sm_90`; empty if not stated.
    pub architecture: &'data str,
    /// The image's bytes.
    pub content: &'data [u8],
}

/// LLVM's kinds of image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageKind {
    /// An object file of the device.
    Object,
    /// LLVM bitcode.
    Bitcode,
    /// NVIDIA machine code.
    Cubin,
    /// NVIDIA's container of several images.
    Fatbinary,
    /// PTX text.
    Ptx,
    /// A kind that this version does not know.
    Other(u16),
}

impl From<u16> for ImageKind {
    fn from(number: u16) -> Self {
        match number {
            1 => Self::Object,
            2 => Self::Bitcode,
            3 => Self::Cubin,
            4 => Self::Fatbinary,
            5 => Self::Ptx,
            other => Self::Other(other),
        }
    }
}

/// The reason why bytes are no offload binary.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum OffloadError {
    /// A binary does not start with the magic number.
    #[error("no offload binary at byte {offset}: the magic number is missing")]
    Magic {
        /// Offset from the start of the data.
        offset: usize,
    },
    /// The version is unknown to this reader.
    #[error("offload binary of version {found} at byte {offset}, this program reads version 1")]
    Version {
        /// Offset from the start of the data.
        offset: usize,
        /// Version of the binary.
        found: u32,
    },
    /// A part lies outside the binary, or is no text.
    #[error("malformed offload binary at byte {offset}: {part} is out of bounds")]
    OutOfBounds {
        /// Offset of the binary from the start of the data.
        offset: usize,
        /// Name of the part.
        part: &'static str,
    },
}

/// Whether `data` starts like an offload binary.
pub(crate) fn is_offload_binary(data: &[u8]) -> bool {
    data.starts_with(&MAGIC)
}

/// Returns the images of all offload binaries in `data`, in order.
pub fn offload_images(data: &[u8]) -> Result<Vec<Image<'_>>, OffloadError> {
    let mut images = Vec::new();
    let mut offset = 0;
    // Padding consists of zeros, and no binary starts with one.
    while let Some(padding) = data[offset..].iter().position(|&byte| byte != 0) {
        offset += padding;
        let (image, size) = read_binary(&data[offset..], offset)?;
        images.push(image);
        offset += size;
    }
    Ok(images)
}

fn read_binary(data: &[u8], offset: usize) -> Result<(Image<'_>, usize), OffloadError> {
    let outside = |part| OffloadError::OutOfBounds { offset, part };
    if !is_offload_binary(data) {
        return Err(OffloadError::Magic { offset });
    }
    let version = read_u32(data, 4).ok_or(outside("the header"))?;
    if version != VERSION {
        return Err(OffloadError::Version { offset, found: version });
    }
    let size = read_size(data, 8).ok_or(outside("the header"))?;
    let binary = data.get(..size).ok_or(outside("the end"))?;
    if size < HEADER_SIZE {
        return Err(outside("the header"));
    }
    let entry = read_range(binary, 16).ok_or(outside("the entry"))?;
    let kind = read_u16(entry, 0).ok_or(outside("the entry"))?;
    let image_start = read_size(entry, 24).ok_or(outside("the entry"))?;
    let image_size = read_size(entry, 32).ok_or(outside("the entry"))?;
    let content = slice(binary, image_start, image_size).ok_or(outside("the image"))?;
    let strings_start = read_size(entry, 8).ok_or(outside("the entry"))?;
    let strings_count = read_size(entry, 16).ok_or(outside("the entry"))?;
    let strings_size = strings_count.checked_mul(16).ok_or(outside("the strings"))?;
    let strings = slice(binary, strings_start, strings_size).ok_or(outside("the strings"))?;
    let mut image = Image { kind: kind.into(), triple: "", architecture: "", content };
    for pair in strings.chunks_exact(16) {
        let key = read_text(binary, pair, 0).ok_or(outside("a string"))?;
        let value = read_text(binary, pair, 8).ok_or(outside("a string"))?;
        match key {
            "triple" => image.triple = value,
            "arch" => image.architecture = value,
            _ => {}
        }
    }
    Ok((image, size))
}

fn read_range(data: &[u8], position: usize) -> Option<&[u8]> {
    slice(data, read_size(data, position)?, read_size(data, position + 8)?)
}

fn read_text<'data>(binary: &'data [u8], pair: &[u8], position: usize) -> Option<&'data str> {
    let tail = binary.get(read_size(pair, position)?..)?;
    let length = tail.iter().position(|&byte| byte == 0)?;
    std::str::from_utf8(&tail[..length]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One binary with an image of 4 bytes for `sm_90`.
    fn sample() -> Vec<u8> {
        let strings = b"arch\0sm_90\0triple\0nvptx64-nvidia-cuda\0";
        let (entry, pairs, texts) = (HEADER_SIZE, HEADER_SIZE + 40, HEADER_SIZE + 72);
        let image = texts + strings.len();
        let mut data = Vec::new();
        data.extend(MAGIC);
        data.extend(1_u32.to_le_bytes());
        let words = [image + 4, entry, 40];
        data.extend(words.iter().flat_map(|&word| (word as u64).to_le_bytes()));
        data.extend([2, 0, 2, 0, 0, 0, 0, 0]);
        let words = [pairs, 2, image, 4, texts, texts + 5, texts + 11, texts + 18];
        data.extend(words.iter().flat_map(|&word| (word as u64).to_le_bytes()));
        data.extend(strings);
        data.extend(b"code");
        data
    }

    #[test]
    fn several_binaries_are_read_in_order_however_they_are_padded() -> Result<(), OffloadError> {
        let expected = Image {
            kind: ImageKind::Bitcode,
            triple: "nvptx64-nvidia-cuda",
            architecture: "sm_90",
            content: b"code",
        };
        for alignment in [1, 2, 8, 16, 64, 4096] {
            let mut data = Vec::new();
            for _ in 0..3 {
                data.extend(sample());
                data.resize(data.len().next_multiple_of(alignment), 0);
            }
            assert_eq!(offload_images(&data)?, [expected; 3], "{alignment}");
        }
        Ok(())
    }

    #[test]
    fn a_binary_has_more_than_its_header() {
        for (size, part) in [(31, "the header"), (32, "the entry")] {
            let mut data = sample();
            data[8] = size;
            assert_eq!(offload_images(&data), Err(OffloadError::OutOfBounds { offset: 0, part }));
        }
    }

    #[test]
    fn every_truncation_is_refused_and_no_changed_byte_panics() {
        let data = sample();
        for length in 1..data.len() {
            assert!(offload_images(&data[..length]).is_err(), "cut at {length}");
        }
        for position in 0..data.len() {
            for value in [0, 1, 0x7F, 0xFF] {
                let mut changed = data.clone();
                changed[position] = value;
                let _ = offload_images(&changed);
            }
        }
    }
}
