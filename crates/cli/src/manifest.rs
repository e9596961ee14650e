//! Reads manifests of the thin link.

use std::path::Path;

use crate::fault::{Fault, failure};
use crate::files;
use weft_artifact::Manifest;

/// Reads the manifest at `path`.
pub fn manifest(path: &Path) -> anyhow::Result<Manifest> {
    Manifest::read(&files::read(path)?)
        .map_err(|fault| failure(Fault::Input, format!("{}: {fault}", path.display())))
}
