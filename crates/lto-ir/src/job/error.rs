//! The error of making a job's PTX.

use thiserror::Error;
use weft_container::PtxError;

/// The error of making a job's PTX. nvlink has not written what the plan takes for granted.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum JobError {
    /// nvlink's text is not PTX.
    #[error("nvlink wrote something else than PTX: {0}")]
    Ptx(#[from] PtxError),
    /// A kernel of the plan is missing.
    #[error("nvlink wrote no kernel '{0}', which the plan names")]
    NoKernel(String),
    /// A function that the job defines for others is missing.
    #[error("nvlink wrote no function '{0}' for other jobs, which the plan names")]
    NoFunction(String),
    /// A symbol that the job defines for others is missing.
    #[error("nvlink wrote no definition of '{0}', which the plan names")]
    NoDefinition(String),
    /// A variable that jobs share is not as its source says.
    #[error("nvlink changed the shared variable '{name}' from '{declared}' to '{found}'")]
    Changed {
        /// Name of the variable.
        name: String,
        /// Declaration in PTX without optimization.
        declared: String,
        /// Declaration in the job.
        found: String,
    },
}
