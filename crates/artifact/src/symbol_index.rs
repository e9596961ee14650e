//! The position of a symbol in its module.

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

/// Position of a symbol in [`DeviceModule::symbols`](crate::DeviceModule::symbols).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, SchemaRead, SchemaWrite,
)]
#[serde(transparent)]
pub struct SymbolIndex(pub u32);
