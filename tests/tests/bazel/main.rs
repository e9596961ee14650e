//! The Bazel rules, with the real Bazel.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may stop at the first surprise"
)]

mod builds;
mod configurations;
mod dialect;
mod nvcc;
mod options;
mod remote;
mod starlark;
