//! The thin link's result as build systems read it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Raised whenever the meaning of a field changes.
pub const MANIFEST_VERSION: u32 = 3;

/// `manifest.json`: which jobs there are and what each of them reads. Whoever writes it may borrow the
/// module ids and the options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest<Id = String, Options = BTreeMap<String, u32>> {
    /// [`MANIFEST_VERSION`].
    pub version: u32,
    /// Architecture of all modules, such as `sm_90`; empty when no unit has device code.
    pub architecture: String,
    /// Whether all device code of the program takes part in the optimisation.
    pub mode: LinkMode,
    /// Whether the final link needs NVIDIA's device runtime, libcudadevrt.
    pub device_runtime: bool,
    /// File of the decisions with their reasons, relative to the manifest's folder.
    pub decisions: String,
    /// One entry per module with device code, sorted by module id.
    pub modules: Vec<ManifestModule<Id, Options>>,
    /// Kernels that were removed because nothing refers to them, sorted.
    pub removed_kernels: Vec<String>,
    /// Variables that were removed because nothing refers to them, sorted.
    pub removed_variables: Vec<String>,
}

/// One module's job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestModule<Id = String, Options = BTreeMap<String, u32>> {
    /// The module.
    pub module_id: Id,
    /// Its plan's file, relative to the manifest's folder.
    pub plan: String,
    /// BLAKE3 digest of the plan's file, in hexadecimal.
    pub plan_digest: String,
    /// Modules whose bitcode the import phase reads besides its own, sorted.
    pub import_sources: Vec<Id>,
    /// Options for the phases after the import, by name. The plan holds them too, and they come with
    /// the module from phase to phase.
    pub phase_options: Options,
    /// How much work the module's job is: IR instructions that its optimiser gets to see, its own and
    /// imported ones. For schedulers: the longest job should start first.
    pub estimated_cost: u64,
    /// Functions of other modules that the module emits as copies of its own.
    pub copied_functions: usize,
    /// Live kernels from which no call leaves the module. With the next field, 0 in a link without closed
    /// modules.
    pub closed_kernels: usize,
    /// Live kernels from which some call leaves the module, or may, as it goes through a pointer.
    pub open_kernels: usize,
    /// The module emits a definition. Where none does, its cubin holds nothing.
    pub emits_code: bool,
}

/// How much of the program's device code takes part in the optimisation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkMode {
    /// All of it: nothing is compiled that the thin link does not know.
    #[default]
    Whole,
    /// Some device code goes to the final link as it is.
    Partial,
}
