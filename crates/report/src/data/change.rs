//! Comparison with an earlier build.

use serde::{Deserialize, Serialize};

use super::default::is_default;

/// The comparison with an earlier build. The earlier values of kernels that are still there are in
/// [`Kernel::before`](super::Kernel::before).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Name of the earlier build: the title in its report, or the name of its file.
    pub title: String,
    /// Number of kernels that got better in some value and worse in none.
    pub better: u32,
    /// Number of kernels that got worse in some value and better in none.
    pub worse: u32,
    /// Number of kernels that got better in one value and worse in another.
    pub mixed: u32,
    /// Number of kernels that got neither better nor worse.
    pub same: u32,
    /// Number of kernels that the earlier build does not have.
    pub new: u32,
    /// Kernels that the earlier build has and this one does not.
    #[serde(default, skip_serializing_if = "is_default")]
    pub gone: Vec<GoneKernel>,
    /// Modules that differ, if the earlier build says something about modules.
    #[serde(default, skip_serializing_if = "is_default")]
    pub modules: Vec<ModuleChange>,
    /// Number of bytes of all cubins, in the earlier build and in this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cubin_bytes: Option<(u64, u64)>,
    /// Number of bytes of all linked images, in the earlier build and in this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_bytes: Option<(u64, u64)>,
    /// Reason why the comparison is unfair, as a sentence; empty if it is fair.
    #[serde(default, skip_serializing_if = "is_default")]
    pub note: String,
}

/// A kernel that is no longer there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GoneKernel {
    /// Name.
    pub name: u32,
    /// Architecture.
    pub architecture: String,
    /// Values of the kernel in the earlier build.
    pub before: KernelValues,
}

/// Values of a kernel that are compared. [`compare`](crate::compare()) says which of them make a
/// kernel better or worse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelValues {
    /// Registers of a thread.
    pub registers: u64,
    /// Number of bytes of a thread's stack frame.
    pub stack: u64,
    /// Number of bytes that a thread spills, stored and loaded; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spills: Option<u64>,
    /// Number of bytes of static shared memory of a block.
    pub shared: u64,
    /// Number of machine instructions.
    pub instructions: u64,
    /// Number of functions that the kernel's machine code calls; a call through a pointer counts as
    /// one.
    pub calls: u64,
    /// Number of warps that are resident on one multiprocessor; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warps: Option<u64>,
}

/// A module that differs from the earlier build.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleChange {
    /// Module id.
    pub id: String,
    /// Architecture.
    pub architecture: String,
    /// Kind of the difference: `new`, `gone`, `plan` for another plan, or `code` for the same plan
    /// and other code.
    pub change: String,
    /// Number of bytes of the cubins in the earlier build, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cubin_bytes_before: Option<u64>,
}
