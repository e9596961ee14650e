//! Digests of the protocol: a hash and a size.

use std::fmt::{self, Write as _};
use std::io::{self, Read as _};
use std::path::Path;
use std::str::FromStr;

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use sha2::Digest as _;

/// A hash function by which servers name content. Both make 32 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DigestFunction {
    /// SHA-256, which nearly every server uses.
    #[default]
    Sha256,
    /// BLAKE3, several times as fast.
    Blake3,
}

impl DigestFunction {
    /// All functions, from the preferred one.
    pub(crate) const ALL: [Self; 2] = [Self::Sha256, Self::Blake3];

    /// Returns the name by which users choose the function.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sha256 => "sha256",
            Self::Blake3 => "blake3",
        }
    }

    /// Returns the digest of `content`.
    pub fn digest(self, content: &[u8]) -> Digest {
        let hash = match self {
            Self::Sha256 => sha2::Sha256::digest(content).into(),
            Self::Blake3 => *blake3::hash(content).as_bytes(),
        };
        Digest { hash, size: content.len() as u64 }
    }

    /// Returns the digest of the file at `path`, which is never in memory as a whole.
    pub fn digest_file(self, path: &Path) -> io::Result<Digest> {
        let mut file = std::fs::File::open(path)?;
        let mut size = 0;
        let mut piece = vec![0; 1 << 18];
        let mut hashers = (sha2::Sha256::new(), blake3::Hasher::new());
        loop {
            let count = match file.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            size += count as u64;
            match self {
                Self::Sha256 => hashers.0.update(&piece[..count]),
                Self::Blake3 => drop(hashers.1.update(&piece[..count])),
            }
        }
        let hash = match self {
            Self::Sha256 => hashers.0.finalize().into(),
            Self::Blake3 => *hashers.1.finalize().as_bytes(),
        };
        Ok(Digest { hash, size })
    }

    /// Returns the function's number in the protocol.
    pub(crate) fn wire(self) -> i32 {
        match self {
            Self::Sha256 => reapi::digest_function::Value::Sha256.into(),
            Self::Blake3 => reapi::digest_function::Value::Blake3.into(),
        }
    }

    /// Returns the prefix of a hash in the names of `ByteStream`. It tells functions apart whose
    /// hashes look like those of SHA-256.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::Sha256 => "",
            Self::Blake3 => "blake3/",
        }
    }
}

/// Hash and size of some content, by which servers name it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digest {
    hash: [u8; 32],
    size: u64,
}

impl FromStr for DigestFunction {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|function| function.name() == text);
        found.ok_or_else(|| format!("'{text}' is neither sha256 nor blake3"))
    }
}

impl Digest {
    /// Creates a digest from its two parts.
    pub fn new(hash: [u8; 32], size: u64) -> Self {
        Self { hash, size }
    }

    /// Returns the hash.
    pub fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    /// Returns the hash in lower-case hexadecimal digits.
    pub fn hex(&self) -> String {
        self.hash.iter().fold(String::with_capacity(64), |mut text, byte| {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    }

    /// Returns the size of the content in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Converts this digest to a message.
    pub(crate) fn to_wire(self) -> reapi::Digest {
        let size_bytes = i64::try_from(self.size).unwrap_or(i64::MAX);
        reapi::Digest { hash: self.hex(), size_bytes }
    }

    /// Converts a message; `None` if it is no digest of these functions.
    pub(crate) fn from_wire(digest: &reapi::Digest) -> Option<Self> {
        Self::parse(&digest.hash, u64::try_from(digest.size_bytes).ok()?)
    }

    /// Reads a hash in hexadecimal digits.
    pub(crate) fn parse(hex: &str, size: u64) -> Option<Self> {
        let mut hash = [0; 32];
        if hex.len() != 64 || !hex.is_ascii() {
            return None;
        }
        for (index, byte) in hash.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&hex[2 * index..2 * index + 2], 16).ok()?;
        }
        Some(Self { hash, size })
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.hex(), self.size)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_field() {
        let empty = DigestFunction::Sha256.digest(b"");
        let expected = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855/0";
        assert_eq!(empty.to_string(), expected);
        let empty = DigestFunction::Blake3.digest(b"");
        let expected = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262/0";
        assert_eq!(empty.to_string(), expected);
    }

    #[test]
    fn a_message_becomes_a_digest_only_if_it_is_one() {
        let digest = DigestFunction::Sha256.digest(b"content");
        assert_eq!(Digest::from_wire(&digest.to_wire()), Some(digest));
        for (hash, size_bytes) in [("", 0), ("zz", 1), (&"é".repeat(32)[..], 1)] {
            let wire = reapi::Digest { hash: hash.to_owned(), size_bytes };
            assert_eq!(Digest::from_wire(&wire), None);
        }
        assert_eq!(Digest::from_wire(&reapi::Digest { hash: digest.hex(), size_bytes: -1 }), None);
    }
}
