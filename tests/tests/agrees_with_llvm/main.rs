//! LLVM has module summaries and a thin link, too. On real units, and on generated programs, what the
//! two have in common agrees.

#![allow(clippy::panic, reason = "assertions fail by panicking")]

mod imports;
mod summaries;
mod units;
