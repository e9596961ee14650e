//! Readers of PTX text.
//!
//! They do not parse instructions: [`statements`] finds the statements outside braces, where PTX
//! declares its symbols, and [`declarations`] finds the names in a statement.

pub(crate) mod assembly;
mod constants;
mod declarations;
pub(crate) mod dependence;
mod error;
mod facts;
mod header;
mod items;
mod kernels;
mod reach;
mod statements;
mod token;
mod words;

pub use constants::{ConstantsApart, constants_apart};
pub use error::PtxError;
pub use facts::{PtxFacts, is_ptx, ptx_facts};
pub use header::{ptx_options, with_ptx_options};
pub use items::{PtxItem, PtxItemKind, PtxLinkage, PtxSpace, is_empty_ptx, ptx_items};
pub use kernels::{PtxKernel, ptx_kernels};
pub use reach::most_functions_of_a_kernel;
pub use words::{PtxToken, ptx_tokens, ptx_words};
