//! Reads manifests of the thin link.

use std::path::Path;

use weft_artifact::{MANIFEST_VERSION, Manifest};
use weft_cli::{Blame as _, Fault, failure, files};

/// Reads the manifest at `path`.
pub(crate) fn manifest(path: &Path) -> anyhow::Result<Manifest> {
    let manifest: Manifest = serde_json::from_slice(&files::read(path)?)
        .blame(Fault::Input, || path.display().to_string())?;
    if manifest.version != MANIFEST_VERSION {
        let (path, version) = (path.display(), manifest.version);
        let message = format!(
            "{path}: a manifest of version {version}; this reads version {MANIFEST_VERSION}"
        );
        return Err(failure(Fault::Input, message));
    }
    Ok(manifest)
}
