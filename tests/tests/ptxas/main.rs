//! Calls of ptxas, and the handling of its failures.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may stop at the first surprise"
)]

mod failures;
mod modes;
mod options;
mod search;
