//! Units without the symbols of their device code.

use std::ops::Range;
use std::path::PathBuf;

use weft_artifact::{HostFacts, LtoIrModule, ModuleId, OpaqueImage, OptionSetting};

/// One unit without its code.
pub struct PackedUnit {
    /// File of the summary, for messages.
    pub(crate) path: PathBuf,
    /// The unit's place among the units of that file, which are the members of an archive, in its
    /// order.
    pub(crate) member: usize,
    /// The name the build gave it.
    pub(crate) module_id: ModuleId,
    /// Its device code.
    pub(crate) device: Option<Device>,
    /// References of its host code to device code.
    pub(crate) host: Option<HostFacts>,
    /// Its device code that is not bitcode.
    pub(crate) opaque: Vec<OpaqueImage>,
    /// Whether it is of a library of device code: no host code launches a kernel of it or names a
    /// variable of it, unless an offload entry says so.
    pub(crate) is_library: bool,
}

impl PackedUnit {
    /// Whether the unit's device code is NVIDIA's LTO IR.
    pub(crate) fn is_lto_ir(&self) -> bool {
        self.device.as_ref().is_some_and(|device| device.lto_ir.is_some())
    }
}

/// Device code of one unit: a [`weft_artifact::DeviceModule`] without its symbols.
pub(crate) struct Device {
    pub(crate) architecture: Box<str>,
    pub(crate) triple: Box<str>,
    pub(crate) data_layout: Box<str>,
    pub(crate) nvvm_ir_version: Option<(u32, u32)>,
    pub(crate) options: Box<[OptionSetting]>,
    /// Facts of a module of NVIDIA's LTO IR; `None` for bitcode.
    pub(crate) lto_ir: Option<LtoIrModule>,
    /// Number of the part of the code that holds the module.
    pub(crate) part: usize,
    /// Positions of its symbols in the part.
    pub(crate) symbols: Range<usize>,
}
