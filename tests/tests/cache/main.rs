//! Stored results: what they depend on, who may share them, and which of them count.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may stop at the first surprise"
)]

mod hermetic;
mod keys;
mod local;
mod messages;
mod poisoned;
mod shared;
mod stage;
