//! The architectures for which a host object carries device bitcode.

use std::collections::BTreeSet;

use object::{Object as _, ObjectSection as _};

use crate::device_code::DeviceCodeError;
use crate::offload_binary::offload_images;
use crate::sections::OFFLOADING_SECTION;

/// Returns the architectures, such as `sm_90`, of the LLVM device code in a host object. A device
/// link has to take this code, since no linker of host code does.
pub fn embedded_architectures(object: &[u8]) -> Result<BTreeSet<String>, DeviceCodeError> {
    let object = object::File::parse(object).map_err(DeviceCodeError::Unknown)?;
    let mut architectures = BTreeSet::new();
    for section in object.sections().filter(|section| section.name() == Ok(OFFLOADING_SECTION)) {
        let images = offload_images(section.data().map_err(DeviceCodeError::Object)?)?;
        let names = images.iter().filter(|image| image.triple.starts_with("nvptx"));
        architectures.extend(names.map(|image| image.architecture.to_owned()));
    }
    Ok(architectures)
}
