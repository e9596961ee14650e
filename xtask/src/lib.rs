//! What a developer or the CI does with this repository, as a library: the task runner is a thin
//! program over it, and the end-to-end tests build real CUDA programs with it.
//!
//! It has no dependencies and needs none of the tools that it installs, so a fresh checkout and a
//! Rust toolchain are enough to compile it.
//!
//! | module | what |
//! |---|---|
//! | [`toolchain`] | finds clang, LLVM and CUDA, and installs what is missing |
//! | [`process`] | the one place that starts processes |
//! | [`executables`] | builds the three executables of Weft |
//! | [`graph`] | generated programs of many units |
//! | [`installation`] | an install tree of Weft |
//! | [`ggml`] | real CUDA code that is not ours, to compile |
//! | [`program`] | builds one CUDA program with Ninja: without LTO, with Weft, with NVIDIA's LTO, as one module |
//! | [`bazel`] | folders that are Bazel workspaces with the rules of the checkout |
//! | [`generated`] | CUDA programs of any size, made up |
//! | [`random`] | the numbers that generated programs are drawn with |
//! | [`sass`] | statistics of a linked device image |
//! | [`usage`] | what a process took |
//! | [`commands`] | the commands of `cargo xtask` |

pub mod bazel;
pub mod commands;
pub mod environment;
pub mod error;
pub mod executables;
pub mod generated;
pub mod generator;
pub mod ggml;
pub mod graph;
pub mod installation;
mod manifest;
pub mod process;
pub mod processor_time;
pub mod program;
pub mod random;
pub mod sass;
pub mod stopwatch;
pub mod toolchain;
pub mod usage;
