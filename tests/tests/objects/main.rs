//! Files of the real tools: what is read from objects, and what a linked program must hold.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may stop at the first surprise"
)]

mod container_facts;
mod guard;
mod guard_symbols;
mod host_references;
mod host_side;
mod joined_objects;
mod opaque_code;
mod readers;
mod summary_fields;
