//! Builds that are killed at random moments and then finished.
//!
//! A program of many tiny units is built in several ways, and in each the processes of a build are
//! killed as Ctrl-C, a crashing machine or a system without memory would do it. The last build is
//! left alone. Afterwards every output must be the one of a build that nothing disturbed, no
//! process and no temporary file may be left, and the cache must be sound.

mod chain;
mod folder;
mod processes;
mod units;
mod way;

pub use chain::{Chain, Tally};
pub use folder::files_of;
pub use processes::{running_below, send};
pub use units::{COUNT, Variant, write as write_units};
pub use way::{Place, Way};
