//! Agreement with LLVM's own module summaries and thin link, on real units and on generated
//! programs, in the facts that both have.

mod imports;
mod summaries;
mod units;
