//! Weft as this checkout builds it: its executables, an install tree of it, and Bazel workspaces
//! that use its rules.

pub mod bazel;
pub mod copy;
pub mod executables;
pub mod installation;
