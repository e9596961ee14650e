//! Payloads of fat binaries as they were before compression.

use std::io::Read as _;

use ruzstd::decoding::StreamingDecoder;

/// A payload that claims to be more than this many times its stored size is not decompressed:
/// machine code and PTX stay far below, and a hostile size costs nothing.
const LARGEST_FACTOR: usize = 128;

/// How an image is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// As it is.
    None,
    /// An LZ4 block.
    Lz4,
    /// A Zstandard frame.
    Zstandard,
    /// In a form that only NVIDIA's tools read.
    Scrambled,
}

/// What decompression can come to, other than bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It is not done: the form is not readable, or the size beyond reason.
    Refused,
    /// The data is broken.
    Malformed,
}

/// The `size` bytes that `data` stands for. `data` is compressed.
pub(crate) fn decompress(
    compression: Compression,
    data: &[u8],
    size: usize,
) -> Result<Vec<u8>, Failure> {
    if size > data.len().saturating_mul(LARGEST_FACTOR) {
        return Err(Failure::Refused);
    }
    let content = match compression {
        Compression::None | Compression::Scrambled => return Err(Failure::Refused),
        Compression::Lz4 => {
            lz4_flex::block::decompress(data, size).map_err(|_| Failure::Malformed)?
        }
        Compression::Zstandard => zstandard(data, size)?,
    };
    if content.len() == size { Ok(content) } else { Err(Failure::Malformed) }
}

/// At most one byte more than `size`. A frame that asks for a window beyond its content is refused.
fn zstandard(data: &[u8], size: usize) -> Result<Vec<u8>, Failure> {
    let window = u64::try_from(size).unwrap_or(u64::MAX).max(SMALLEST_WINDOW);
    let decoder =
        StreamingDecoder::new_with_max_window_size(data, window).map_err(|_| Failure::Malformed)?;
    let mut content = Vec::with_capacity(size);
    let limit = u64::try_from(size).unwrap_or(u64::MAX).saturating_add(1);
    decoder.take(limit).read_to_end(&mut content).map_err(|_| Failure::Malformed)?;
    Ok(content)
}

/// Encoders use a window of this size for short content without a second thought.
const SMALLEST_WINDOW: u64 = 1 << 20;
