//! Units of nvcc: their LTO IR, and the registration of their images.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may stop at the first surprise"
)]

mod jobs;
mod registration;
mod summaries;
mod weak_definitions;
