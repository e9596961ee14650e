//! Reads manifests of the thin link.

use std::path::Path;

use weft_artifact::Manifest;
use weft_cli::{Fault, failure, files};

/// Reads the manifest at `path`.
pub(crate) fn manifest(path: &Path) -> anyhow::Result<Manifest> {
    Manifest::read(&files::read(path)?)
        .map_err(|fault| failure(Fault::Input, format!("{}: {fault}", path.display())))
}
