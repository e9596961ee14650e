//! Facts about the whole program that do not depend on imports.

mod arithmetic;
pub(crate) mod attributes;
pub(crate) mod bundles;
pub(crate) mod components;
pub(crate) mod consensus;
pub(crate) mod constant_memory;
pub(crate) mod constants;
pub(crate) mod devirtualize;
pub(crate) mod dynamic_shared;
pub(crate) mod host;
pub(crate) mod kernel_choices;
pub(crate) mod lasting_memory;
mod left_out;
pub(crate) mod liveness;
pub(crate) mod misdeclared;
pub(crate) mod mode;
pub(crate) mod nvidia;
mod opaque_code;
pub(crate) mod undefined;
pub(crate) mod unknown_names;
pub(crate) mod virtual_architecture;
