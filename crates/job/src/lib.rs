//! The report of a job, and requirements that the results of jobs must meet.
//!
//! Jobs write [`JobReport`] as JSON, and the report of a program is gathered from these files.
//! [`occupancy`] and [`kernel_cost`] are the measures of kernels, in jobs and across builds. Jobs
//! need [`newest_ptx`] before they write PTX for a ptxas.

// These macros panic where nobody reads the output, and a panic counts as a defect.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod inlining;
mod kernel_cost;
mod newest_ptx;
mod occupancy;
mod report;
mod results;
mod spills;
mod trials;

pub use inlining::Inlining;
pub use kernel_cost::kernel_cost;
pub use newest_ptx::{known_newest_ptx, newest_ptx};
pub use occupancy::occupancy;
pub use report::{
    CubinReport, JobReport, KernelReport, ModuleReport, OptimizedReport, PhaseReport, PtxReport,
};
pub use results::{check_claim, check_output};
pub use spills::{Spills, compile_seconds, spilled_bytes, spills};
pub use trials::{SearchReport, Trial};
