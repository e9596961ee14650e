//! CUDA programs that tests and benches compile: generated ones of any size, and code of others.

pub mod generated;
pub mod generator;
pub mod ggml;
