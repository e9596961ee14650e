//! Counts of results by their source, for one process and for all processes that use a cache.

mod log;
mod totals;

pub use totals::{Miss, Source, Sums, Totals};
