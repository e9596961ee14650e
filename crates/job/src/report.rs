//! The content of a job's report. Times are in reports alone, and in no artifact.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use weft_action::JobRecord;
use weft_artifact::digest;
use weft_container::{
    KernelCode, KernelResources, cubin_architecture, kernel_code, kernel_resources, ptx_kernels,
};
use weft_report::{Occupancy, Sizes};

use crate::inlining::Inlining;
use crate::occupancy::occupancy;
use crate::spills::Spills;
use crate::trials::SearchReport;

/// The content of a report. Empty parts are omitted.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct JobReport {
    /// Records of the results that the job got.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub jobs: Vec<JobRecord>,
    /// Architecture of a job that has nothing but its records to report, such as `sm_90`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub architecture: String,
    /// Warnings of the thin link.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Decisions of the thin link about the whole program, as sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Wall time of each phase, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<PhaseReport>,
    /// Report of the optimizer on each module, by architecture.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<ModuleReport>,
    /// All kernels, sorted by architecture and name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kernels: Vec<KernelReport>,
    /// The PTX of each part that was made, and its kernels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ptx: Vec<PtxReport>,
    /// The cubins that were made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cubins: Vec<CubinReport>,
    /// Messages of ptxas without statistics.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
}

/// A phase that ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PhaseReport {
    /// Name of the phase.
    pub name: String,
    /// Wall time in seconds.
    pub seconds: f64,
}

/// A module after optimization.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModuleReport {
    /// Architecture of the module.
    pub architecture: String,
    /// Number of parts that the module was divided into.
    pub partitions: usize,
    /// Report of the optimizer; `None` if another version of Weft made it.
    #[serde(flatten)]
    pub optimized: Option<OptimizedReport>,
}

/// The work of the optimizer, in numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OptimizedReport {
    /// Number of bodies that were imported, or that another module provides.
    pub imported: u64,
    /// Number of these bodies that were inlined into functions that the module keeps.
    pub imported_inlined: u64,
    /// Number of instructions of these bodies before optimization.
    pub imported_instructions: u64,
    /// The same of the inlined ones.
    pub imported_instructions_inlined: u64,
    /// Decrease of the number of calls of named functions. Inlined bodies add calls.
    pub calls_fewer: i64,
    /// Sizes of the module before optimization.
    pub before: Sizes,
    /// Sizes of the module after it.
    pub after: Sizes,
    /// Decisions of the inliner.
    pub inlining: Inlining,
}

/// A kernel as it was assembled.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KernelReport {
    /// Architecture of its code.
    pub architecture: String,
    /// Resources that a launch takes.
    #[serde(flatten)]
    pub resources: KernelResources,
    /// Size and calls of its code.
    #[serde(flatten)]
    pub code: KernelCode,
    /// Spills, which only ptxas's messages state.
    #[serde(flatten)]
    pub spills: Option<Spills>,
    /// Time that ptxas took for the kernel in seconds, by its own clock; for a result from a cache,
    /// when it was made.
    #[serde(default)]
    pub compile_seconds: Option<f64>,
    /// Warps on a multiprocessor; `None` for an architecture whose limits are not published.
    pub occupancy: Option<Occupancy>,
}

/// PTX that was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PtxReport {
    /// Architecture of the PTX.
    pub architecture: String,
    /// Number of bytes.
    pub bytes: u64,
    /// Number of bytes of each kernel.
    pub kernels: BTreeMap<String, u64>,
}

/// A cubin that was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CubinReport {
    /// Architecture of the cubin.
    pub architecture: String,
    /// Number of bytes.
    pub bytes: u64,
    /// Digest of the content.
    #[serde(default)]
    pub digest: String,
    /// Trials, if the best of several results was wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchReport>,
}

impl JobReport {
    /// Makes the report that a cubin allows without the job that made it.
    pub fn of_cubin(content: &[u8]) -> object::Result<Self> {
        let architecture = cubin_architecture(content).unwrap_or_default();
        let mut code = kernel_code(content)?;
        let kernels = kernel_resources(content)?.into_iter().map(|resources| KernelReport {
            architecture: architecture.clone(),
            spills: None,
            compile_seconds: None,
            occupancy: occupancy(&architecture, &resources),
            code: code.remove(&resources.name).unwrap_or_default(),
            resources,
        });
        let kernels = kernels.collect();
        let cubins = vec![CubinReport::of(&architecture, content)];
        Ok(Self { kernels, cubins, ..Self::default() })
    }

    /// Makes the report of PTX alone.
    #[must_use]
    pub fn of_ptx(architecture: &str, content: &[u8]) -> Self {
        Self { ptx: vec![PtxReport::of(architecture, content)], ..Self::default() }
    }
}

impl PtxReport {
    /// Reads the sizes of PTX. Unreadable PTX has no sizes: ptxas reports its fault.
    #[must_use]
    pub fn of(architecture: &str, ptx: &[u8]) -> Self {
        let kernels = ptx_kernels(ptx).unwrap_or_default().into_iter();
        Self {
            architecture: architecture.to_owned(),
            bytes: ptx.len() as u64,
            kernels: kernels.map(|kernel| (kernel.name, kernel.text.len() as u64)).collect(),
        }
    }
}

impl CubinReport {
    /// Describes a cubin that was made without trials.
    #[must_use]
    pub fn of(architecture: &str, cubin: &[u8]) -> Self {
        Self {
            architecture: architecture.to_owned(),
            bytes: cubin.len() as u64,
            digest: digest(cubin).to_string(),
            search: None,
        }
    }
}
