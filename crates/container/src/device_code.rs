//! Finds a unit's device code in any file that the build has of the unit.

use object::{Object as _, ObjectSection as _};
use thiserror::Error;
use weft_artifact::OpaqueImage;

use crate::offload_binary::{Image, OffloadError, is_offload_binary, offload_images};
use crate::opaque::{OpaqueError, fatbin_images, is_opaque, opaque_images};
use crate::sections::{NVCC_FATBIN_SECTIONS, OFFLOADING_SECTION};

const BITCODE_MAGICS: [&[u8]; 2] = [b"BC\xC0\xDE", &[0xDE, 0xC0, 0x17, 0x0B]];

/// The device code in a file. An object with host code alone holds none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceCode<'data> {
    /// Modules for one architecture, which can be optimized across units, in the order of the file.
    /// A compiler's object holds at most one, and an object that `ld -r` made holds those of its
    /// parts.
    pub modules: Vec<Bitcode<'data>>,
    /// Images without bitcode, for any architecture, in the order of the file.
    pub opaque: Vec<OpaqueImage>,
}

/// Device bitcode, with its architecture if the container states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bitcode<'data> {
    /// LLVM bitcode.
    pub content: &'data [u8],
    /// Architecture, such as `sm_90`; empty if only the bitcode itself states it.
    pub architecture: &'data str,
}

/// The error of reading a unit's device code. The caller adds the file's name.
#[derive(Debug, Error)]
pub enum DeviceCodeError {
    /// The file has no form of device code.
    #[error("neither LLVM bitcode, nor an offload binary, nor a relocatable object: {0}")]
    Unknown(#[source] object::Error),
    /// The sections of the object cannot be read.
    #[error("malformed object: {0}")]
    Object(#[source] object::Error),
    /// The offload binary is malformed.
    #[error(transparent)]
    Offload(#[from] OffloadError),
    /// The device code without bitcode is malformed.
    #[error(transparent)]
    Opaque(#[from] OpaqueError),
    /// The file holds several architectures, and none was chosen.
    #[error("device code for several architectures ({0}): choose one with --arch")]
    Ambiguous(String),
    /// No image is for the chosen architecture.
    #[error("no device code for {wanted}, only for {present}")]
    NoSuchArchitecture {
        /// Chosen architecture.
        wanted: String,
        /// Architectures of the images.
        present: String,
    },
}

/// Returns the device code of a unit, which is bitcode, an offload binary, a host object, or one of
/// NVIDIA's forms. Of bitcode for several architectures, it takes that for `architecture`.
pub fn device_code<'data>(
    file: &'data [u8],
    architecture: Option<&str>,
) -> Result<DeviceCode<'data>, DeviceCodeError> {
    if is_bitcode(file) {
        let modules = vec![Bitcode { content: file, architecture: "" }];
        return Ok(DeviceCode { modules, opaque: Vec::new() });
    }
    if is_offload_binary(file) {
        return choose(&offload_images(file)?, Vec::new(), architecture);
    }
    if is_opaque(file) {
        return Ok(DeviceCode { modules: Vec::new(), opaque: opaque_images(file, "")? });
    }
    let object = object::File::parse(file).map_err(DeviceCodeError::Unknown)?;
    let (mut images, mut opaque) = (Vec::new(), Vec::new());
    for section in object.sections() {
        let name = section.name().map_err(DeviceCodeError::Object)?;
        if name == OFFLOADING_SECTION {
            images.extend(offload_images(section.data().map_err(DeviceCodeError::Object)?)?);
        } else if NVCC_FATBIN_SECTIONS.contains(&name) {
            let content = section.data().map_err(DeviceCodeError::Object)?;
            opaque.extend(fatbin_images(content)?);
        }
    }
    choose(&images, opaque, architecture)
}

/// Whether `content` starts like LLVM bitcode.
pub fn is_bitcode(content: &[u8]) -> bool {
    BITCODE_MAGICS.iter().any(|magic| content.starts_with(magic))
}

fn choose<'data>(
    images: &[Image<'data>],
    mut opaque: Vec<OpaqueImage>,
    architecture: Option<&str>,
) -> Result<DeviceCode<'data>, DeviceCodeError> {
    let mut bitcode = Vec::new();
    for image in images.iter().filter(|image| image.triple.starts_with("nvptx")) {
        if is_bitcode(image.content) {
            bitcode.push(image);
        } else {
            opaque.extend(opaque_images(image.content, image.architecture)?);
        }
    }
    let mut architectures: Vec<&str> = Vec::new();
    for image in &bitcode {
        if !architectures.contains(&image.architecture) {
            architectures.push(image.architecture);
        }
    }
    let present = || architectures.join(", ");
    let chosen = match (architectures.as_slice(), architecture) {
        ([], Some(wanted)) if opaque.is_empty() => {
            let (wanted, present) = (wanted.to_owned(), "nothing".to_owned());
            return Err(DeviceCodeError::NoSuchArchitecture { wanted, present });
        }
        ([], _) => "",
        ([only], None) => only,
        (_, None) => return Err(DeviceCodeError::Ambiguous(present())),
        (several, Some(wanted)) if several.contains(&wanted) => wanted,
        (_, Some(wanted)) => {
            let (wanted, present) = (wanted.to_owned(), present());
            return Err(DeviceCodeError::NoSuchArchitecture { wanted, present });
        }
    };
    let modules = bitcode.iter().filter(|image| image.architecture == chosen);
    let modules =
        modules.map(|image| Bitcode { content: image.content, architecture: image.architecture });
    Ok(DeviceCode { modules: modules.collect(), opaque })
}
