//! The command line: as typed, resolved against the world, and as a declared action.

pub(crate) mod action;
pub(crate) mod arguments;
mod closing;
mod imports;
mod options;
mod packing;
mod roots;
