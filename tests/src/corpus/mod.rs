//! Small CUDA programs, each of which shows one mistake that a device linker can make.
//!
//! A program is a folder of `tests/corpus`. Its `program.txt` says why the program is there, how
//! its units are compiled and put together, in which order they are linked, and which kernels and
//! variables host code uses. The author states these names by hand, so that they check what Weft
//! reads from host code instead of repeating it. The README of that folder describes the format.

mod build;
mod by_nvcc;
mod description;
mod entries;
mod folders;
mod program;
mod words;

#[cfg(test)]
mod tests;

pub use program::{JOBS, Program, programs};
