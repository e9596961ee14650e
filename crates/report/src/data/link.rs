//! The thin link's part: modules, definitions, imports.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::default::is_default;
use super::kernel::InlineSite;

/// The thin link for one architecture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Architecture, such as `sm_90`.
    pub architecture: String,
    /// Whether all device code of the program took part.
    pub whole: bool,
    /// Whether the final link needs NVIDIA's device runtime.
    #[serde(default, skip_serializing_if = "is_default")]
    pub device_runtime: bool,
    /// Options that hold for the later phases, by name.
    #[serde(default, skip_serializing_if = "is_default")]
    pub options: BTreeMap<String, u32>,
    /// Lines about the reconciliation of options and other decisions about the whole program.
    #[serde(default, skip_serializing_if = "is_default")]
    pub notes: Vec<String>,
    /// Warnings of the thin link.
    #[serde(default, skip_serializing_if = "is_default")]
    pub warnings: Vec<String>,
    /// Removed kernels and variables that host code could have seen.
    #[serde(default, skip_serializing_if = "is_default")]
    pub removed: Vec<Removed>,
    /// Device code that went to the final link as it was.
    #[serde(default, skip_serializing_if = "is_default")]
    pub opaque: Vec<Opaque>,
}

/// A kernel or variable that was removed. The chain of why is in the definitions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removed {
    /// Kernel or variable.
    pub kind: RemovedKind,
    /// Name.
    pub name: u32,
    /// Its definitions, as positions in [`Definitions`].
    #[serde(default, skip_serializing_if = "is_default")]
    pub definitions: Vec<u32>,
}

/// The kinds of removed symbols that a build system lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RemovedKind {
    /// A kernel.
    #[default]
    Kernel,
    /// A variable.
    Variable,
}

/// An object with device code but without bitcode.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opaque {
    /// Unit that holds the code.
    pub unit: String,
    /// Kinds of the code, such as `cubin`, in order.
    pub kinds: Vec<String>,
    /// Definitions of the program that it needs and so keeps alive, as names.
    pub keeps: Vec<u32>,
}

/// The device code of one unit for one architecture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Module {
    /// Module id.
    pub id: String,
    /// Position of the architecture in [`BuildReport::links`](super::BuildReport::links).
    #[serde(default, skip_serializing_if = "is_default")]
    pub link: u32,
    /// Whether the module emits nothing.
    #[serde(default, skip_serializing_if = "is_default")]
    pub empty: bool,
    /// Positions of the modules that are compiled in this one's job, too.
    #[serde(default, skip_serializing_if = "is_default")]
    pub members: Vec<u32>,
    /// Modules that this one imports from.
    #[serde(default, skip_serializing_if = "is_default")]
    pub imports: Vec<Edge>,
    /// Number of functions of other modules of which this one emits copies.
    #[serde(default, skip_serializing_if = "is_default")]
    pub copied_functions: u64,
    /// Estimate of the job's work: the number of IR instructions that the optimizer gets.
    #[serde(default, skip_serializing_if = "is_default")]
    pub estimated_cost: u64,
    /// Sizes before optimization; `None` if no report says it, as for code from a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Sizes>,
    /// Sizes after optimization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Sizes>,
    /// Number of imported bodies that were inlined somewhere, if a report says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported_inlined: Option<u64>,
    /// Number of bytes of the PTX, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ptx_bytes: Option<u64>,
    /// Number of bytes of the cubins, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cubin_bytes: Option<u64>,
    /// Decisions about candidates for import.
    #[serde(default, skip_serializing_if = "is_default")]
    pub candidates: Vec<Candidate>,
    /// Decisions about closing live kernels.
    #[serde(default, skip_serializing_if = "is_default")]
    pub closures: Vec<Closure>,
    /// Decisions of the inliner.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sites: Vec<InlineSite>,
    /// Digest of the plan, to tell whether it differs from the one of another build.
    #[serde(default, skip_serializing_if = "is_default")]
    pub plan_digest: String,
    /// Digest of the cubins, to tell whether the code differs from that of another build.
    #[serde(default, skip_serializing_if = "is_default")]
    pub code_digest: String,
}

/// The imports of one module from another. In JSON it is a short array of its fields, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "[u32; 3]", from = "[u32; 3]")]
pub struct Edge {
    /// Module that the definitions come from.
    pub source: u32,
    /// Number of definitions.
    pub symbols: u32,
    /// Number of these that the importing module emits as internal copies.
    pub copies: u32,
}

impl From<Edge> for [u32; 3] {
    fn from(Edge { source, symbols, copies }: Edge) -> Self {
        [source, symbols, copies]
    }
}

impl From<[u32; 3]> for Edge {
    fn from([source, symbols, copies]: [u32; 3]) -> Self {
        Self { source, symbols, copies }
    }
}

/// Sizes of a module's IR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    /// Number of functions.
    pub functions: u64,
    /// Number of kernels among the functions.
    pub kernels: u64,
    /// Number of instructions.
    pub instructions: u64,
    /// Number of calls of named functions.
    pub calls: u64,
    /// Number of calls through pointers.
    pub indirect_calls: u64,
}

/// All definitions of all modules, in the order of [`BuildReport::modules`](super::BuildReport)
/// and then of names. A definition is a position, and each field is a column.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definitions {
    /// Name of each definition.
    pub name: Vec<u32>,
    /// Module of each definition.
    pub module: Vec<u32>,
    /// Position of the word for each definition's fate in [`Words::fates`](super::Words::fates).
    pub fate: Vec<u8>,
    /// Definition that the fate refers to; -1 if it refers to none.
    pub other: Vec<i64>,
}

/// A candidate for import into a module. In JSON it is a short array of its fields, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "[i64; 8]", from = "[i64; 8]")]
pub struct Candidate {
    /// Position in [`Definitions`].
    pub definition: u32,
    /// Cost in IR instructions by the import model; 0 for a variable.
    pub cost: u32,
    /// Position of the reason in [`Words::refusals`](super::Words::refusals); `None` if the
    /// definition is imported.
    pub refusal: Option<u8>,
    /// Definition that calls the function or refers to the variable; `None` if that was not
    /// recorded, and then the fields below are 0.
    pub caller: Option<u32>,
    /// Depth of the call.
    pub level: u32,
    /// Threshold for the callee in IR instructions; 0 for a variable.
    pub threshold: u32,
    /// Position of the call's hotness in [`Words::classes`](super::Words::classes).
    pub class: u8,
    /// Position of the pass in [`Words::passes`](super::Words::passes).
    pub pass: u8,
}

impl From<Candidate> for [i64; 8] {
    fn from(candidate: Candidate) -> Self {
        let Candidate { definition, cost, refusal, caller, level, threshold, class, pass } =
            candidate;
        [
            definition.into(),
            cost.into(),
            refusal.map_or(-1, i64::from),
            caller.map_or(-1, i64::from),
            level.into(),
            threshold.into(),
            class.into(),
            pass.into(),
        ]
    }
}

impl From<[i64; 8]> for Candidate {
    fn from([definition, cost, refusal, caller, level, threshold, class, pass]: [i64; 8]) -> Self {
        let number = |field: i64| u32::try_from(field).unwrap_or(0);
        let small = |field: i64| u8::try_from(field).unwrap_or(0);
        Self {
            definition: number(definition),
            cost: number(cost),
            refusal: u8::try_from(refusal).ok(),
            caller: u32::try_from(caller).ok(),
            level: number(level),
            threshold: number(threshold),
            class: small(class),
            pass: small(pass),
        }
    }
}

/// The closure of a live kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closure {
    /// The kernel, as a position in [`Definitions`].
    pub kernel: u32,
    /// Number of functions that the kernel reaches within its module, without itself.
    pub functions: u32,
    /// Number of IR instructions of these functions and of the kernel.
    pub instructions: u32,
    /// Position of the reason for a call that leaves the module in
    /// [`Words::exits`](super::Words::exits); `None` for a closed kernel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<u8>,
    /// Calling definition; `None` for a closed kernel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<u32>,
    /// Name of the callee, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callee: Option<u32>,
}
