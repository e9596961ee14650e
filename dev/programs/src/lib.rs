//! CUDA programs that tests and benches compile.
//!
//! - [`deep`], [`wide`] and [`library`] generate programs, each from a seed: with calls many levels deep, with
//!   many units, and as a library with programs on it.
//! - [`ggml`] names units of ggml-cuda.
//! - [`Source`] is a program that benches compare with other ways of linking: generated, found or written.

pub mod deep;
pub mod ggml;
pub mod library;
mod source;
pub mod wide;

pub use source::{
    FIRST, NAMES, Selection, Source, all, generated, size_of_generated, three_kernels,
};
