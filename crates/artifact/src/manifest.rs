//! The thin link's result as build systems read it.

use serde::{Deserialize, Serialize};

/// Raised whenever the meaning of a field changes.
pub const MANIFEST_VERSION: u32 = 1;

/// `manifest.json`: which jobs there are and what each of them reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`MANIFEST_VERSION`].
    pub version: u32,
    /// Architecture of all modules, such as `sm_90`; empty when no unit has device code.
    pub architecture: String,
    /// One entry per module with device code, sorted by module id.
    pub modules: Vec<ManifestModule>,
    /// Kernels that were removed because nothing refers to them, sorted.
    pub removed_kernels: Vec<String>,
    /// Variables that were removed because nothing refers to them, sorted.
    pub removed_variables: Vec<String>,
}

/// One module's job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestModule {
    /// The module.
    pub module_id: String,
    /// Its plan's file, relative to the manifest's folder.
    pub plan: String,
    /// BLAKE3 digest of the plan's file, in hexadecimal.
    pub plan_digest: String,
    /// Modules whose bitcode the import phase reads besides its own, sorted.
    pub import_sources: Vec<String>,
}
