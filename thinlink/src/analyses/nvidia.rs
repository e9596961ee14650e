//! Device code that NVIDIA provides, told by its names: libcudadevrt and functions of the driver.

use crate::model::program::PackedUnit;

/// Functions that the driver provides. They call no function of the program.
pub(crate) const DRIVER: [&str; 4] = ["__assertfail", "free", "malloc", "vprintf"];

/// Whether the unit is a member of libcudadevrt. Its name says so, as for NVIDIA's linker.
pub(crate) fn is_device_runtime(unit: &PackedUnit) -> bool {
    unit.device.is_none()
        && !unit.opaque.is_empty()
        && unit.module_id.as_str().contains("cudadevrt")
}

/// Whether libcudadevrt defines a symbol of that name, as far as names tell.
pub(crate) fn is_runtime_name(name: &str) -> bool {
    let rest = name.strip_prefix("__cudaCDP2").or_else(|| name.strip_prefix("cuda"));
    rest.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_uppercase()))
}
