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

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame of one raw block: descriptor of a single segment with a one-byte size.
    const FRAME: [u8; 12] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 3, 0x19, 0, 0, b'a', b'b', b'c'];
    /// A block of three literals.
    const BLOCK: [u8; 4] = [0x30, b'a', b'b', b'c'];

    #[test]
    fn both_forms_give_their_content() {
        assert_eq!(decompress(Compression::Zstandard, &FRAME, 3), Ok(b"abc".to_vec()));
        assert_eq!(decompress(Compression::Lz4, &BLOCK, 3), Ok(b"abc".to_vec()));
    }

    #[test]
    fn another_size_than_claimed_is_malformed() {
        for size in [0, 2, 4] {
            let zstandard = decompress(Compression::Zstandard, &FRAME, size);
            assert_eq!(zstandard, Err(Failure::Malformed), "{size}");
            let lz4 = decompress(Compression::Lz4, &BLOCK, size);
            assert_eq!(lz4, Err(Failure::Malformed), "{size}");
        }
    }

    #[test]
    fn a_size_beyond_reason_is_not_tried() {
        let size = FRAME.len() * LARGEST_FACTOR + 1;
        for compression in [Compression::Zstandard, Compression::Lz4, Compression::Scrambled] {
            assert_eq!(decompress(compression, &FRAME, size), Err(Failure::Refused));
        }
    }
}
