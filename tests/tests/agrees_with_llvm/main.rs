//! Agreement with LLVM's own module summaries and thin link, on real units and on generated
//! programs, in the facts that both have.

#![allow(clippy::panic, reason = "assertions fail by panicking")]

mod imports;
mod summaries;
mod units;
