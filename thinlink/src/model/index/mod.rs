//! All units merged.

mod build;
mod clashes;
mod groups;
mod prevailing;
mod ranks;
mod role;
mod table;

pub(crate) use build::merge;
pub(crate) use role::Role;
pub(crate) use table::{HOST_LISTING, Index, Module, Node, is_listing, position};
