//! Destinations of the thin link's outputs.

use std::fs::File;
use std::io::{self, BufWriter, Cursor, Seek, Write};
use std::path::Path;

use weft_cli::files;

use super::files::{MANIFEST, OutputFile};

/// A destination of outputs.
pub(crate) trait Destination: Sync {
    /// Part of an output that is returned to the caller.
    type Left: Send;

    /// A large output while it is written.
    type Large: Write + Seek;

    /// Takes an output.
    fn put(&self, file: OutputFile) -> anyhow::Result<Self::Left>;

    /// Takes the output at `path`, which `write` writes.
    fn put_large(
        &self,
        path: &str,
        write: impl FnOnce(&mut Self::Large) -> io::Result<()>,
    ) -> anyhow::Result<Self::Left>;
}

/// A destination that hands all outputs back.
pub(crate) struct Memory;

impl Destination for Memory {
    type Left = OutputFile;
    type Large = Cursor<Vec<u8>>;

    fn put(&self, file: OutputFile) -> anyhow::Result<OutputFile> {
        Ok(file)
    }

    fn put_large(
        &self,
        path: &str,
        write: impl FnOnce(&mut Self::Large) -> io::Result<()>,
    ) -> anyhow::Result<OutputFile> {
        let mut content = Cursor::default();
        write(&mut content)?;
        Ok(OutputFile { path: path.into(), content: content.into_inner() })
    }
}

/// The folder that the user gives.
pub(crate) struct Folder<'path>(pub(crate) &'path Path);

impl Folder<'_> {
    /// Writes an output.
    pub(crate) fn write(&self, path: &Path, content: &[u8]) -> anyhow::Result<()> {
        let to = self.0.join(path);
        if path == Path::new(MANIFEST) {
            files::write(&to, content)
        } else {
            files::write_artifact(&to, content)
        }
    }
}

impl Destination for Folder<'_> {
    type Left = ();
    type Large = BufWriter<File>;

    fn put(&self, file: OutputFile) -> anyhow::Result<()> {
        self.write(&file.path, &file.content)
    }

    fn put_large(
        &self,
        path: &str,
        write: impl FnOnce(&mut Self::Large) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        files::write_large(&self.0.join(path), write)
    }
}
