//! Reports of jobs and of whole builds.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may stop at the first surprise"
)]

mod build;
mod job;
mod page;
