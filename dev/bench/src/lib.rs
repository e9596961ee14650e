//! The benches of `cargo xtask bench`. Each measures one thing and prints it as lines `metric NAME
//! VALUE`.
//!
//! A bench is a module here with a function `run`; its header says what the metrics are.
//! Executables are those that users get, built with optimization.

pub mod bazel;
pub mod build;
pub mod closing;
mod device_link;
mod figures;
pub mod images;
pub mod kernels;
pub mod link;
pub mod nvcc;
pub mod oracle;
pub mod remote;
pub mod showcase;
pub mod summarize;
pub mod thinlink;
