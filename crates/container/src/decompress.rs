//! Decompresses payloads of fat binaries.

use std::io::Read as _;

use ruzstd::decoding::StreamingDecoder;

/// Maximum ratio of the stated size of a payload to its stored size. Machine code and PTX stay far
/// below, and a hostile size costs nothing.
const LARGEST_FACTOR: usize = 128;

/// The compression of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// The image is not compressed.
    None,
    /// The image is an LZ4 block.
    Lz4,
    /// The image is a Zstandard frame.
    Zstandard,
    /// The image has a form that only NVIDIA's tools read.
    Scrambled,
}

/// The error of decompressing a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecompressError {
    /// The form is not readable, or the stated size is too large.
    Refused,
    /// The data is malformed.
    Malformed,
}

/// Decompresses `data` to `size` bytes.
pub(crate) fn decompress(
    compression: Compression,
    data: &[u8],
    size: usize,
) -> Result<Vec<u8>, DecompressError> {
    if size > data.len().saturating_mul(LARGEST_FACTOR) {
        return Err(DecompressError::Refused);
    }
    let content = match compression {
        Compression::None | Compression::Scrambled => return Err(DecompressError::Refused),
        Compression::Lz4 => {
            lz4_flex::block::decompress(data, size).map_err(|_| DecompressError::Malformed)?
        }
        Compression::Zstandard => zstandard(data, size)?,
    };
    if content.len() == size { Ok(content) } else { Err(DecompressError::Malformed) }
}

/// Decompresses a frame to at most `size` + 1 bytes. A frame with a window beyond its content is
/// refused.
fn zstandard(data: &[u8], size: usize) -> Result<Vec<u8>, DecompressError> {
    let window = u64::try_from(size).unwrap_or(u64::MAX).max(SMALLEST_WINDOW);
    let decoder = StreamingDecoder::new_with_max_window_size(data, window)
        .map_err(|_| DecompressError::Malformed)?;
    let mut content = Vec::with_capacity(size);
    let limit = u64::try_from(size).unwrap_or(u64::MAX).saturating_add(1);
    decoder.take(limit).read_to_end(&mut content).map_err(|_| DecompressError::Malformed)?;
    Ok(content)
}

/// Size of the window that encoders use even for short content.
const SMALLEST_WINDOW: u64 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    /// Frame of one raw block, with the descriptor of a single segment and a one-byte size.
    const FRAME: [u8; 12] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 3, 0x19, 0, 0, b'a', b'b', b'c'];
    /// Block of three literals.
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
            assert_eq!(zstandard, Err(DecompressError::Malformed), "{size}");
            let lz4 = decompress(Compression::Lz4, &BLOCK, size);
            assert_eq!(lz4, Err(DecompressError::Malformed), "{size}");
        }
    }

    #[test]
    fn a_size_beyond_reason_is_not_tried() {
        let size = FRAME.len() * LARGEST_FACTOR + 1;
        for compression in [Compression::Zstandard, Compression::Lz4, Compression::Scrambled] {
            assert_eq!(decompress(compression, &FRAME, size), Err(DecompressError::Refused));
        }
        let tried = decompress(Compression::Zstandard, &FRAME, size - 1);
        assert_eq!(tried, Err(DecompressError::Malformed));
        assert_eq!(decompress(Compression::None, &FRAME, 3), Err(DecompressError::Refused));
    }
}
