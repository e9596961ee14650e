//! Comparison of a program's output on this machine's processor, linked plainly and through Weft.
//!
//! Device bitcode becomes code for any processor with few changes: another target, another calling
//! convention, and stand-ins for the intrinsics of the GPU (`retarget`). A driver in LLVM IR
//! launches the kernels, one thread after the other, and prints a digest of the memory after each
//! launch (`driver`). LLVM's `lli` runs the result without optimizing it.

mod check;
mod driver;
mod gpu;
mod options;
pub mod retarget;
mod steps;

pub(crate) use check::with_program;
pub use check::{Difference, check, check_on_gpu, failing_seeds, write_for_gpu};
pub(crate) use driver::THREADS;
pub use gpu::OnGpu;
pub use options::Options;
pub use steps::{compile, compile_object, link_order};
pub(crate) use steps::{plain, plain_with, weft, weft_with};
