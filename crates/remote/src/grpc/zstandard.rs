//! Zstandard frames, in which the protocol's compressed transfers are.

use std::io::{Cursor, Read};

use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// Compresses `content` to one frame.
pub(crate) fn compress(content: &[u8]) -> Vec<u8> {
    compress_to_vec(content, CompressionLevel::Fastest)
}

/// Returns the content of the frames in `bytes`, as far as they can be read, and at most `limit` +
/// 1 bytes. A transfer that broke off gives the beginning; callers that need all compare the
/// digest.
pub(crate) fn decompress(bytes: &[u8], limit: u64) -> Vec<u8> {
    let mut content = Vec::new();
    let mut source = Cursor::new(bytes);
    while source.position() < bytes.len() as u64 && content.len() as u64 <= limit {
        let Ok(decoder) = StreamingDecoder::new(&mut source) else { break };
        let left = limit + 1 - content.len() as u64;
        let mut decoder = decoder.take(left);
        let mut chunk = [0; 1 << 13];
        loop {
            match decoder.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => content.extend_from_slice(&chunk[..count]),
                Err(_) => return content,
            }
        }
    }
    content
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_comes_back_whole_or_as_its_beginning() {
        let content: Vec<u8> = (0..300_000_u32).map(|number| (number % 251) as u8).collect();
        let frame = compress(&content);
        assert!(frame.len() < content.len());
        let size = content.len() as u64;
        assert_eq!(decompress(&frame, size), content);
        assert_eq!(decompress(&[frame.clone(), frame.clone()].concat(), 2 * size).len(), 600_000);
        let beginning = decompress(&frame[..frame.len() / 2], size);
        assert!(beginning.len() < content.len() && content.starts_with(&beginning));
        assert_eq!(decompress(&frame, 10).len(), 11);
        assert_eq!(decompress(b"no frame", 10), b"");
        assert_eq!(decompress(&compress(b""), 0), b"");
    }
}
