//! Programs that must mean the same however they are linked.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may stop at the first surprise"
)]

mod hunt;
mod meaning;
mod oracle;
mod ptx_runs;
mod scenarios;
