//! All units in the least space that the link can do with.
//!
//! A [`Summary`](weft_artifact::Summary) is made for reading: each symbol owns its name, each function
//! its lists. A program of two million symbols would take gigabytes that way, and every step through
//! it would wait for memory. Here ([`Code`]) the symbols of all modules are in one array, their calls
//! and references in one array each; what the link never asks for (shapes, visibility, GUIDs) is left
//! out. Files are packed as they are read, so that no summary is ever there in full.
//!
//! The rest of the link reads through views ([`Symbol`], [`Function`], [`Variable`]), which have the
//! fields of the summary's types and are made on the spot.
//!
//! Cost: symbols and edges, once each; about 50 bytes for a function with its calls, and its name.

mod call;
mod code;
mod pack;
mod view;

use std::ops::Range;
use std::path::PathBuf;

use weft_artifact::{HostFacts, ModuleId, OpaqueImage, OptionSetting};

pub(crate) use call::Call;
pub(crate) use code::Code;
pub(crate) use pack::Packer;
pub(crate) use view::{Body, Function, Kind, Symbol, Variable};

/// One unit, but for its code.
pub(crate) struct Unit {
    /// Where the summary came from, for messages.
    pub(crate) path: PathBuf,
    /// The unit's place among the units of that file, which are the members of an archive, in its
    /// order.
    pub(crate) member: usize,
    /// The name the build gave it.
    pub(crate) module_id: ModuleId,
    /// Its device code.
    pub(crate) device: Option<Device>,
    /// What its host code says of device code.
    pub(crate) host: Option<HostFacts>,
    /// Its device code that is not bitcode.
    pub(crate) opaque: Vec<OpaqueImage>,
}

/// Device code of one unit. See [`weft_artifact::DeviceModule`].
pub(crate) struct Device {
    pub(crate) architecture: Box<str>,
    pub(crate) triple: Box<str>,
    pub(crate) data_layout: Box<str>,
    pub(crate) options: Box<[OptionSetting]>,
    /// In which part of the code it is.
    pub(crate) part: usize,
    /// Its symbols among those of the part.
    pub(crate) symbols: Range<usize>,
}
