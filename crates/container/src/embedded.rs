//! The device code of LLVM that a host object carries, by architecture.

use std::collections::BTreeSet;

use memchr::memmem;
use object::{Object as _, ObjectSection as _};

use crate::device_code::{DeviceCodeError, is_bitcode};
use crate::fatbin::is_fatbin;
use crate::lto_ir::{self, LtoIrUse};
use crate::offload_binary::{is_offload_binary, offload_images};
use crate::opaque::OpaqueError;
use crate::sections::{NVCC_FATBIN_SECTIONS, OFFLOADING_SECTION};

/// Returns the architectures, such as `sm_90`, of the LLVM device code in a host object. A device
/// link has to take this code, since no linker of host code does.
pub fn embedded_architectures(object: &[u8]) -> Result<BTreeSet<String>, DeviceCodeError> {
    let object = object::File::parse(object).map_err(DeviceCodeError::Unknown)?;
    Ok(architectures(&object, |_| true)?.into_iter().collect())
}

/// Returns those of `names` that no device code of LLVM in a host object has as a symbol's name. An
/// object without such code has none of them missing.
pub fn missing_from_embedded<'name>(
    object: &[u8],
    names: impl Iterator<Item = &'name str>,
) -> Result<BTreeSet<String>, DeviceCodeError> {
    let object = object::File::parse(object).map_err(DeviceCodeError::Unknown)?;
    let mut code = Vec::new();
    for section in object.sections().filter(|section| section.name() == Ok(OFFLOADING_SECTION)) {
        code.extend(offload_images(section.data().map_err(DeviceCodeError::Object)?)?);
    }
    // Bitcode holds the names of its symbols one after the other, as they are.
    if code.is_empty() || !code.iter().all(|image| is_bitcode(image.content)) {
        return Ok(BTreeSet::new());
    }
    let has = |name: &str| {
        code.iter().any(|image| memmem::find(image.content, name.as_bytes()).is_some())
    };
    Ok(names.filter(|name| !has(name)).map(str::to_owned).collect())
}

/// Returns the architecture of each module in a host object or fat binary: first those of device
/// bitcode, then those of LTO IR unless that is opaque, each in the order of the file. A file of
/// another kind holds none.
pub fn embedded_modules(file: &[u8], lto_ir_use: LtoIrUse) -> Result<Vec<String>, DeviceCodeError> {
    let has_lto_ir = lto_ir_use != LtoIrUse::Opaque;
    let of_fatbins = |data: &[u8]| {
        let modules = if has_lto_ir { lto_ir::architectures(data) } else { Ok(Vec::new()) };
        modules.map_err(OpaqueError::from)
    };
    if is_fatbin(file) {
        return Ok(of_fatbins(file)?);
    }
    let Ok(object) = object::File::parse(file) else { return Ok(Vec::new()) };
    let mut modules = architectures(&object, is_bitcode)?;
    for section in object.sections() {
        let name = section.name().map_err(DeviceCodeError::Object)?;
        if NVCC_FATBIN_SECTIONS.contains(&name) {
            modules.extend(of_fatbins(section.data().map_err(DeviceCodeError::Object)?)?);
        }
    }
    Ok(modules)
}

/// Returns the architectures of the device code that a file holds in the form of clang's new
/// driver, in an object or by itself. NVIDIA's device linker does not read it. A file of another
/// kind holds none.
pub fn offloaded_architectures(file: &[u8]) -> Result<BTreeSet<String>, DeviceCodeError> {
    if is_offload_binary(file) {
        let images = offload_images(file)?;
        let images = images.iter().filter(|image| image.triple.starts_with("nvptx"));
        return Ok(images.map(|image| image.architecture.to_owned()).collect());
    }
    let Ok(object) = object::File::parse(file) else { return Ok(BTreeSet::new()) };
    Ok(architectures(&object, |_| true)?.into_iter().collect())
}

/// Returns the architecture of each device image whose content is `wanted`, in the order of the
/// file.
fn architectures(
    object: &object::File<'_>,
    wanted: impl Fn(&[u8]) -> bool,
) -> Result<Vec<String>, DeviceCodeError> {
    let mut architectures = Vec::new();
    for section in object.sections().filter(|section| section.name() == Ok(OFFLOADING_SECTION)) {
        let images = offload_images(section.data().map_err(DeviceCodeError::Object)?)?;
        let chosen = images
            .iter()
            .filter(|image| image.triple.starts_with("nvptx") && wanted(image.content));
        architectures.extend(chosen.map(|image| image.architecture.to_owned()));
    }
    Ok(architectures)
}
