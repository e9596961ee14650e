//! One kernel.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::change::KernelValues;
use super::default::is_default;

/// One kernel for one architecture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// Name.
    pub name: u32,
    /// Module that emits the kernel.
    pub module: u32,
    /// Registers of a thread.
    pub registers: u32,
    /// Number of bytes of a thread's stack frame.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stack: u32,
    /// Number of bytes that a thread stores to spill registers; `None` if no report says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spill_stores: Option<u64>,
    /// Number of bytes that a thread loads to get spilled registers back; `None` if no report says
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spill_loads: Option<u64>,
    /// Number of bytes of static shared memory of a block.
    #[serde(default, skip_serializing_if = "is_default")]
    pub shared: u64,
    /// Number of bytes by constant bank; bank 0 holds the kernel's parameters.
    #[serde(default, skip_serializing_if = "is_default")]
    pub constant: BTreeMap<String, u64>,
    /// Number of named barriers.
    #[serde(default, skip_serializing_if = "is_default")]
    pub barriers: u32,
    /// Maximum block size that the kernel was compiled for, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_threads: Option<u32>,
    /// Occupancy by the kernel alone; `None` for an architecture whose limits are unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occupancy: Option<Occupancy>,
    /// Number of machine instructions of the kernel's own code.
    #[serde(default, skip_serializing_if = "is_default")]
    pub instructions: u64,
    /// Number of bytes of the kernel's own machine code.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sass_bytes: u64,
    /// Number of bytes of the kernel's PTX, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ptx_bytes: Option<u64>,
    /// Names of the functions that the kernel's own machine code calls.
    #[serde(default, skip_serializing_if = "is_default")]
    pub calls: Vec<u32>,
    /// Whether the kernel's own machine code calls through a pointer.
    #[serde(default, skip_serializing_if = "is_default")]
    pub calls_indirectly: bool,
    /// Resources without a dedicated field, by their name in the job's report.
    #[serde(default, skip_serializing_if = "is_default")]
    pub more: BTreeMap<String, f64>,
    /// Values of the same kernel in the build that this one is compared with; `None` if it is new
    /// or nothing is compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<KernelValues>,
    /// Result of the comparison: `better`, `worse`, `mixed`, `same` or `new`; empty without one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub change: String,
    /// Listings that were kept.
    #[serde(default, skip_serializing_if = "is_default")]
    pub listings: Vec<Listing>,
}

/// The occupancy of a multiprocessor by one kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Occupancy {
    /// Number of threads of a block: the size that the kernel was compiled for, or the best size.
    pub block_threads: u32,
    /// Maximum number of warps that are resident on one multiprocessor.
    pub warps: u32,
    /// Number of warps that a multiprocessor can hold.
    pub of_warps: u32,
    /// Limiting resource: `warps`, `blocks`, `registers` or `shared memory`.
    pub limited_by: String,
}

/// Code of a kernel as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing {
    /// Kind of the code: `ptx` or `sass`.
    pub kind: String,
    /// The text.
    pub text: String,
}

/// A decision of the inliner about one call. In JSON it is a short array of its fields, in order.
///
/// A module has them in one list, callees before callers, and all functions share it: the tree of
/// one kernel has at its root the sites whose caller is the kernel, and below an inlined site those
/// whose caller is its callee.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "[i64; 9]", from = "[i64; 9]")]
pub struct InlineSite {
    /// Name of the function that holds the call.
    pub caller: u32,
    /// Name of the function that is called.
    pub callee: u32,
    /// Whether the call was inlined.
    pub inlined: bool,
    /// Module that the callee's body was imported from; `None` for the module's own.
    pub origin: Option<u32>,
    /// Position of the reason in [`BuildReport::texts`](super::BuildReport::texts).
    pub reason: u32,
    /// Cost by the inliner's model; 0 where no cost was asked for.
    pub cost: i64,
    /// Limit that the cost was held against; 0 where no cost was asked for.
    pub limit: i64,
    /// Growth of the caller in IR instructions, by LLVM's estimate; -1 if there is none.
    pub instructions: i64,
    /// Position in `texts` of the advice how to change the decision; -1 if there is none.
    pub advice: i64,
}

impl From<InlineSite> for [i64; 9] {
    fn from(site: InlineSite) -> Self {
        [
            site.caller.into(),
            site.callee.into(),
            site.inlined.into(),
            site.origin.map_or(-1, i64::from),
            site.reason.into(),
            site.cost,
            site.limit,
            site.instructions,
            site.advice,
        ]
    }
}

impl From<[i64; 9]> for InlineSite {
    fn from(fields: [i64; 9]) -> Self {
        let number = |position: usize| u32::try_from(fields[position]).unwrap_or(0);
        Self {
            caller: number(0),
            callee: number(1),
            inlined: fields[2] != 0,
            origin: u32::try_from(fields[3]).ok(),
            reason: number(4),
            cost: fields[5],
            limit: fields[6],
            instructions: fields[7],
            advice: fields[8],
        }
    }
}
