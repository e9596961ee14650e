//! All units in as little memory as possible.
//!
//! A [`Summary`](weft_artifact::Summary) is made for reading: each symbol owns its name, each
//! function its lists. A program of two million symbols would take gigabytes that way, and every
//! step through it would wait for memory. Here ([`Code`]) the symbols of all modules are in one
//! array, their calls and references in one array each; facts that the link never asks for (shapes,
//! visibility, GUIDs) are left out. Files are packed as they are read, so that no summary is ever
//! there in full.
//!
//! The rest of the link reads through views ([`Symbol`], [`Function`], [`Variable`]), which copy
//! nothing and are made on demand.
//!
//! Cost: symbols and edges, once each; about 50 bytes for a function with its calls, and its name.

mod call;
mod code;
mod gather;
mod order;
mod pack;
mod unit;
mod view;

pub(crate) use call::Call;
pub(crate) use code::{Code, Kind};
pub(crate) use order::in_module_order;
pub(crate) use pack::Packer;
pub(crate) use unit::Device;
pub(crate) use unit::PackedUnit;
pub(crate) use view::{Function, Symbol, Variable};
