//! The thin link's result in the form that build systems read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::job_class::JobClasses;

/// Version of the manifest, which is raised whenever the meaning of a field changes.
pub const MANIFEST_VERSION: u32 = 3;

/// `manifest.json`: the list of jobs, and the inputs of each. A writer may borrow the module ids
/// and the options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest<Id = String, Options = BTreeMap<String, u32>> {
    /// Always [`MANIFEST_VERSION`].
    pub version: u32,
    /// Architecture of all modules, such as `sm_90`; empty when no unit has device code.
    pub architecture: String,
    /// Whether all device code of the program takes part in the optimization.
    pub mode: LinkMode,
    /// Whether the final link needs NVIDIA's device runtime, libcudadevrt.
    pub device_runtime: bool,
    /// File of the decisions with their reasons, relative to the manifest's folder.
    pub decisions: String,
    /// One entry per module with device code, sorted by module id.
    pub modules: Vec<ManifestModule<Id, Options>>,
    /// Kernels that were removed because nothing refers to them, sorted.
    pub removed_kernels: Vec<String>,
    /// Variables that were removed because nothing refers to them, or became local because the host
    /// does not name them, sorted.
    pub removed_variables: Vec<String>,
}

impl Manifest {
    /// Reads the content of a manifest. The error names its fault.
    pub fn read(content: &[u8]) -> Result<Self, String> {
        let manifest: Self = serde_json::from_slice(content).map_err(|error| error.to_string())?;
        if manifest.version == MANIFEST_VERSION {
            return Ok(manifest);
        }
        let found = manifest.version;
        Err(format!("a manifest of version {found}; this reads version {MANIFEST_VERSION}"))
    }
}

/// One module's job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestModule<Id = String, Options = BTreeMap<String, u32>> {
    /// The module.
    pub module_id: Id,
    /// Modules that are compiled in this module's job, sorted; none unless the thin link bundled
    /// modules. Their own plans emit nothing, and builds may leave out their jobs.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Id>,
    /// File of the module's plan, relative to the manifest's folder.
    pub plan: String,
    /// BLAKE3 digest of the plan's file, in hexadecimal.
    pub plan_digest: String,
    /// Modules whose bitcode the import phase reads besides its own, sorted.
    pub import_sources: Vec<Id>,
    /// Options for the phases after the import, by name. The plan holds them, too, and they travel
    /// with the module from phase to phase.
    pub phase_options: Options,
    /// Estimate of the job's work for schedulers, as the longest job should start first: the number
    /// of IR instructions that the optimizer gets, own and imported.
    pub estimated_cost: u64,
    /// Classes of memory and time of the phases, which follow from the estimate, for what reserves
    /// resources: Bazel's `resource_set`, a job pool, the platform of a cluster's worker.
    #[serde(default)]
    pub classes: JobClasses,
    /// Number of functions of other modules that the module emits as internal copies.
    pub copied_functions: usize,
    /// Number of live kernels from which no call leaves the module. This field and the next are 0
    /// in a link without closed modules.
    pub closed_kernels: usize,
    /// Number of live kernels from which some call leaves the module, or may, as it goes through a
    /// pointer.
    pub open_kernels: usize,
    /// Whether the module emits a definition. If not, its cubin is empty.
    pub emits_code: bool,
}

/// The part of the program's device code that takes part in the optimization.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkMode {
    /// All device code takes part.
    #[default]
    Whole,
    /// Some device code goes to the final link unchanged.
    Partial,
}
