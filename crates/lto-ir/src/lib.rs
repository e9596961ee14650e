//! NVIDIA's LTO IR as modules of a program.
//!
//! LTO IR cannot be read, but nvlink turns it into PTX. One run of nvlink without optimization
//! shows what a unit holds ([`describe`]), and so a unit of nvcc gets the summary that a unit of
//! clang gets. The optimizer stays NVIDIA's: jobs run nvlink again, on the modules that they need.
//!
//! *Invariant*: nvlink and its libraries are inputs like files. Nothing here depends on the place
//! of CUDA, the environment or the names of files.

// These macros panic where nobody reads the output, and a panic counts as a defect.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod describe;
pub mod job;
mod nvlink;

pub use describe::{Background, DescribeError, describe};
pub use nvlink::{Nvlink, NvlinkArguments, Run};
