//! Units without the symbols of their device code.

use std::ops::Range;
use std::path::PathBuf;

use weft_artifact::{HostFacts, ModuleId, OpaqueImage, OptionSetting};

/// One unit, but for its code.
pub struct PackedUnit {
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
