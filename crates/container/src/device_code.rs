//! Finding a unit's device bitcode in whatever file the build has of it.

use object::{Object as _, ObjectSection as _};
use thiserror::Error;

use crate::offload_binary::{Image, ImageKind, OffloadError, is_offload_binary, offload_images};
use crate::{NVCC_FATBIN_SECTION, OFFLOADING_SECTION};

const BITCODE_MAGICS: [&[u8]; 2] = [b"BC\xC0\xDE", &[0xDE, 0xC0, 0x17, 0x0B]];

/// What a file holds for a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceCode<'data> {
    /// Bitcode, and its architecture where the container names it.
    Bitcode {
        /// LLVM bitcode.
        bitcode: &'data [u8],
        /// Architecture, such as `sm_90`; empty when only the bitcode itself tells.
        architecture: &'data str,
    },
    /// A host object without device code.
    None,
}

/// Why a unit's device bitcode could not be had. The caller adds the file's name.
#[derive(Debug, Error)]
pub enum DeviceCodeError {
    /// Neither bitcode, nor an offload binary, nor an object.
    #[error("neither LLVM bitcode, nor an offload binary, nor a relocatable object: {0}")]
    Unknown(#[source] object::Error),
    /// An object whose sections cannot be read.
    #[error("malformed object: {0}")]
    Object(#[source] object::Error),
    /// An object or file with a broken offload binary.
    #[error(transparent)]
    Offload(#[from] OffloadError),
    /// Device code of a kind that cannot be optimised across units.
    #[error(
        "device code without bitcode ({kind:?} for '{architecture}'): \
         compile the unit with clang's -foffload-lto"
    )]
    Opaque {
        /// The image's kind.
        kind: ImageKind,
        /// The image's architecture.
        architecture: String,
    },
    /// nvcc's fat binary, which holds no bitcode that could be read.
    #[error(
        "an object of nvcc, whose device code cannot be read: \
         compile the unit with clang and -foffload-lto"
    )]
    Nvcc,
    /// Several architectures and no choice made.
    #[error("device code for several architectures ({0}): choose one with --arch")]
    Ambiguous(String),
    /// The chosen architecture is not among the images.
    #[error("no device code for {wanted}, only for {present}")]
    NoSuchArchitecture {
        /// What was asked for.
        wanted: String,
        /// What there is.
        present: String,
    },
}

/// The device bitcode of a unit given as bitcode, as an offload binary or as a host object. Of
/// several architectures it takes the one called `architecture`.
pub fn device_code<'data>(
    file: &'data [u8],
    architecture: Option<&str>,
) -> Result<DeviceCode<'data>, DeviceCodeError> {
    if BITCODE_MAGICS.iter().any(|magic| file.starts_with(magic)) {
        return Ok(DeviceCode::Bitcode { bitcode: file, architecture: "" });
    }
    if is_offload_binary(file) {
        return choose(&offload_images(file)?, architecture);
    }
    let object = object::File::parse(file).map_err(DeviceCodeError::Unknown)?;
    if object.section_by_name(NVCC_FATBIN_SECTION).is_some() {
        return Err(DeviceCodeError::Nvcc);
    }
    let Some(section) = object.section_by_name(OFFLOADING_SECTION) else {
        return Ok(DeviceCode::None);
    };
    let content = section.data().map_err(DeviceCodeError::Object)?;
    choose(&offload_images(content)?, architecture)
}

fn choose<'data>(
    images: &[Image<'data>],
    architecture: Option<&str>,
) -> Result<DeviceCode<'data>, DeviceCodeError> {
    let device: Vec<_> = images.iter().filter(|image| image.triple.starts_with("nvptx")).collect();
    let present = || device.iter().map(|image| image.architecture).collect::<Vec<_>>().join(", ");
    let image = match (device.as_slice(), architecture) {
        ([], None) => return Ok(DeviceCode::None),
        ([image], None) => image,
        (_, None) => return Err(DeviceCodeError::Ambiguous(present())),
        (_, Some(wanted)) => {
            device.iter().find(|image| image.architecture == wanted).ok_or_else(|| {
                DeviceCodeError::NoSuchArchitecture {
                    wanted: wanted.to_owned(),
                    present: if device.is_empty() { "nothing".to_owned() } else { present() },
                }
            })?
        }
    };
    if image.kind != ImageKind::Bitcode {
        let architecture = image.architecture.to_owned();
        return Err(DeviceCodeError::Opaque { kind: image.kind, architecture });
    }
    Ok(DeviceCode::Bitcode { bitcode: image.content, architecture: image.architecture })
}
