//! The type of the report.

mod build;
mod change;
mod default;
mod job;
mod kernel;
mod link;
mod words;

pub use build::{BuildReport, Image, VERSION};
pub use change::{Comparison, GoneKernel, KernelValues, ModuleChange};
pub use job::{Job, JobOrigin};
pub use kernel::{InlineSite, Kernel, Listing, Occupancy};
pub use link::{
    Candidate, Closure, Definitions, Edge, Link, Module, Opaque, Removed, RemovedKind, Sizes,
};
pub use words::Words;
pub(crate) use words::{CLASSES, EXITS, FATES, FIRST_DEAD, PASSES, REFUSALS, filled, sentence};

#[cfg(test)]
mod tests;
