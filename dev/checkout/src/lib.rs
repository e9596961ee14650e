//! Weft as this checkout builds it: its executables, an install tree of it, Bazel workspaces
//! that use its rules, and the programs that hold its tests.

pub mod bazel;
pub mod copy;
pub mod executables;
pub mod installation;
pub mod test_programs;
