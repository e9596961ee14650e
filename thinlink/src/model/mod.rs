//! The program as data: its symbols, their identities, the merged index, and the policy.

pub(crate) mod archives;
pub(crate) mod error;
pub(crate) mod flags;
pub(crate) mod hidden_symbols;
pub(crate) mod host_link;
pub(crate) mod ids;
pub(crate) mod index;
pub(crate) mod lines;
pub(crate) mod link_order;
pub(crate) mod name_hash;
pub(crate) mod policy;
pub(crate) mod program;
pub(crate) mod text;
