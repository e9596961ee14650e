//! Builds of whole programs by Make, Ninja, `weft link`, `weft-nvcc` and installed packages.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may stop at the first surprise"
)]

mod architectures;
mod compilers;
mod distribution;
mod doctor;
mod hidden_symbols;
mod link_order;
mod makefile;
mod transport;
mod tuning;
mod two_images;
mod unedited;
mod warpgroup;
mod weft_link;
mod weft_nvcc;
