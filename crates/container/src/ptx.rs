//! Readers of PTX text.
//!
//! They are no parsers: [`statements`] finds what stands outside braces, where PTX declares its
//! symbols, and [`declarations`] finds the names in there.

pub(crate) mod assembly;
mod declarations;
pub(crate) mod dependence;
mod error;
mod facts;
mod statements;
mod token;

pub use error::PtxError;
pub(crate) use facts::is_ptx;
pub use facts::{PtxFacts, ptx_facts};
