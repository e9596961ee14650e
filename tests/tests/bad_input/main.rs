//! Input that is wrong, damaged or hostile, and the messages that it gets.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may stop at the first surprise"
)]

mod bitcode;
mod damaged_bitcode;
mod files;
mod hostile_bitcode;
mod messages;
mod output_places;
