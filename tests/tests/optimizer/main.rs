//! The way of device code of clang through Weft: decisions, inlining, code generation.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may stop at the first surprise"
)]

mod agrees_with_llvm;
mod architectures;
mod assembly;
mod bisecting;
mod combine;
mod constant_memory;
mod definitions;
mod determinism;
mod device_passes;
mod early_cutoff;
mod inlining;
mod libnvvm;
mod line_tables;
mod numerics;
mod private_variables;
mod shared_alignment;
mod split;
mod whole_program;
