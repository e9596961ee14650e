//! The facts that the readers of containers state about files of the real tools.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod assembly;
mod containers;
mod cubins;
mod entries;
mod files;
mod programs;
mod references;
