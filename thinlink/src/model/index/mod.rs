//! All units merged.

mod build;
mod bundles;
mod bundling;
mod clashes;
mod definitions;
mod groups;
mod prevailing;
mod ranks;
mod repeated;
mod role;
mod table;

pub(crate) use build::merge;
pub(crate) use role::Role;
pub(crate) use table::{HOST_LISTING, Index, is_listing};
