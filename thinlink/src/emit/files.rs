//! Names of the files that the thin link writes.

use std::path::PathBuf;

use weft_artifact::ModuleId;

/// The manifest's file.
pub(crate) const MANIFEST: &str = "manifest.json";

/// One output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// Path relative to the output folder.
    pub path: PathBuf,
    /// The whole content.
    pub content: Vec<u8>,
}

/// Returns the path of a module's plan.
pub(crate) fn plan_path(module_id: &ModuleId) -> String {
    format!("{module_id}.plan")
}
