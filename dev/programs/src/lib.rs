//! CUDA programs that tests and benches compile.
//!
//! - [`deep`], [`wide`] and [`library`] generate programs, each from a seed: with calls many levels
//!   deep, with many units, and as a library with programs on it.
//! - [`random`] draws programs of every construct that a device linker must get right, whose
//!   outputs are compared.
//! - [`ggml`] names units of ggml-cuda.
//! - [`Source`] is a program that benches compare with other ways of linking: a generated one, one
//!   of others, or one that was written for the benches.

pub mod deep;
mod found;
pub mod ggml;
pub mod library;
pub mod random;
mod selection;
mod source;
pub mod wide;
mod written;

pub use found::all_of_ggml;
pub use selection::{
    FIRST, NAMES, Selection, all, generated, generated_sizes, size_of_generated, three_kernels,
};
pub use source::Source;
