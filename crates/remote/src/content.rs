//! The content of an input: bytes in memory, or a file that is read only when a server lacks it.
//!
//! A program is larger than all other inputs, and nearly every server has it already. So its
//! digests are enough, and a caller that knows them from an earlier process need not read it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::digest::{Digest, DigestFunction};
use crate::error::RemoteError;

/// Content of an input.
#[derive(Clone, Debug)]
pub enum Content {
    /// Bytes in memory.
    Bytes(Arc<[u8]>),
    /// File of this machine.
    File(Arc<KnownFile>),
}

/// A file with its digests, which are compared with the content before that is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Digest for servers that name content by SHA-256.
    pub sha256: Digest,
    /// Digest for servers that name content by BLAKE3.
    pub blake3: Digest,
}

/// Contents by digest.
pub(crate) type Blobs = BTreeMap<Digest, Content>;

impl Content {
    /// Returns the digest of the content.
    pub fn digest(&self, function: DigestFunction) -> Digest {
        match self {
            Self::Bytes(bytes) => function.digest(bytes),
            Self::File(file) => match function {
                DigestFunction::Sha256 => file.sha256,
                DigestFunction::Blake3 => file.blake3,
            },
        }
    }

    /// Returns the bytes. A file that has changed since its digests were taken is an error.
    pub fn load(&self) -> Result<Arc<[u8]>, RemoteError> {
        let file = match self {
            Self::Bytes(bytes) => return Ok(Arc::clone(bytes)),
            Self::File(file) => file,
        };
        let path = file.path.display();
        let bytes = std::fs::read(&file.path)
            .map_err(|error| RemoteError::Action(format!("cannot read {path}: {error}")))?;
        if DigestFunction::Blake3.digest(&bytes) == file.blake3 {
            return Ok(bytes.into());
        }
        Err(RemoteError::Action(format!("{path} has changed while it was in use")))
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes.into())
    }
}

impl From<&[u8]> for Content {
    fn from(bytes: &[u8]) -> Self {
        Self::Bytes(bytes.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_its_digests_say_or_an_error() {
        let path = std::env::temp_dir().join(format!("weft-content-{}", std::process::id()));
        std::fs::write(&path, b"content").unwrap();
        let [sha256, blake3] = [DigestFunction::Sha256, DigestFunction::Blake3]
            .map(|function| function.digest(b"content"));
        let file = Content::File(Arc::new(KnownFile { path: path.clone(), sha256, blake3 }));
        assert_eq!(*file.load().unwrap(), *b"content");
        assert_eq!(file.digest(DigestFunction::Sha256), sha256);
        std::fs::write(&path, b"changed").unwrap();
        assert!(file.load().unwrap_err().to_string().contains("has changed"));
        std::fs::remove_file(&path).unwrap();
        assert!(file.load().unwrap_err().to_string().contains("cannot read"));
    }
}
