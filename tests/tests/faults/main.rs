//! Builds on machines that fail, are killed, or do much at once.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may stop at the first surprise"
)]

mod child_processes;
mod kills;
mod links;
mod load;
mod machine;
mod network_files;
