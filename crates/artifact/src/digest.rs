//! Digests of contents.

/// BLAKE3 digest of some content.
pub type Digest = blake3::Hash;

/// Returns the digest of `content`.
pub fn digest(content: &[u8]) -> Digest {
    blake3::hash(content)
}
