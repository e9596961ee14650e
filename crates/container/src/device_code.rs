//! Finds a unit's device code in any file that the build has of the unit.

use object::{Object as _, ObjectSection as _};
use thiserror::Error;
use weft_artifact::{OpaqueImage, best_fit};

use crate::fatbin::{self, is_fatbin};
use crate::lto_ir::{LtoIr, LtoIrError, LtoIrUse};
use crate::offload_binary::{Image, OffloadError, is_offload_binary, offload_images};
use crate::opaque::{OpaqueError, entry_images, is_opaque, opaque_images};
use crate::sections::{NVCC_FATBIN_SECTIONS, OFFLOADING_SECTION, RELOCATABLE_FATBIN_SECTION};

const BITCODE_MAGICS: [&[u8]; 2] = [b"BC\xC0\xDE", &[0xDE, 0xC0, 0x17, 0x0B]];

/// The device code in a file. An object with host code alone holds none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceCode<'data> {
    /// Modules for one architecture, which can be optimized across units, in the order of the file.
    /// A compiler's object holds at most one, and an object that `ld -r` made holds those of its
    /// parts.
    pub modules: Vec<Bitcode<'data>>,
    /// Modules of NVIDIA's LTO IR for one architecture, in the order of the file.
    pub lto_ir: Vec<LtoIr>,
    /// Images without bitcode, for any architecture, in the order of the file.
    pub opaque: Vec<OpaqueImage>,
}

/// Device bitcode, with its architecture if the container states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bitcode<'data> {
    /// LLVM bitcode.
    pub content: &'data [u8],
    /// Architecture of the image that it is for, such as `sm_90`; empty if only the bitcode itself
    /// states it.
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
    /// The device code of nvcc cannot be optimized as the caller wants.
    #[error(transparent)]
    LtoIr(#[from] LtoIrError),
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
/// NVIDIA's forms. Of code for several architectures that can be optimized, it takes that for
/// `architecture`, or that of its generation which suits it best.
pub fn device_code<'data>(
    file: &'data [u8],
    architecture: Option<&'data str>,
    lto_ir_use: LtoIrUse,
) -> Result<DeviceCode<'data>, DeviceCodeError> {
    let mut code = DeviceCode::default();
    if is_bitcode(file) {
        code.modules.push(Bitcode { content: file, architecture: "" });
        return Ok(code);
    }
    if is_offload_binary(file) {
        code.choose(&offload_images(file)?, architecture)?;
        return Ok(code);
    }
    if is_fatbin(file) {
        code.take_fatbins(file, architecture, lto_ir_use, true)?;
        return Ok(code);
    }
    if is_opaque(file) {
        match lto_ir_use.take_alone(file, architecture)? {
            Some(module) => code.lto_ir.push(module),
            None => code.opaque = opaque_images(file, "")?,
        }
        return Ok(code);
    }
    let object = object::File::parse(file).map_err(DeviceCodeError::Unknown)?;
    let mut images = Vec::new();
    for section in object.sections() {
        let name = section.name().map_err(DeviceCodeError::Object)?;
        if name == OFFLOADING_SECTION {
            images.extend(offload_images(section.data().map_err(DeviceCodeError::Object)?)?);
        } else if NVCC_FATBIN_SECTIONS.contains(&name) {
            let content = section.data().map_err(DeviceCodeError::Object)?;
            let is_relocatable = name == RELOCATABLE_FATBIN_SECTION;
            code.take_fatbins(content, architecture, lto_ir_use, is_relocatable)?;
        }
    }
    code.choose(&images, architecture)?;
    Ok(code)
}

/// Whether `content` starts like LLVM bitcode.
pub fn is_bitcode(content: &[u8]) -> bool {
    BITCODE_MAGICS.iter().any(|magic| content.starts_with(magic))
}

impl<'data> DeviceCode<'data> {
    /// Adds the device code in the fat binaries `content`: a module for each container with LTO IR,
    /// and opaque images for the others.
    fn take_fatbins(
        &mut self,
        content: &[u8],
        architecture: Option<&str>,
        lto_ir_use: LtoIrUse,
        is_relocatable: bool,
    ) -> Result<(), DeviceCodeError> {
        for container in fatbin::containers(content).map_err(OpaqueError::from)? {
            match lto_ir_use.take(&container, architecture, is_relocatable)? {
                Some(module) => self.lto_ir.push(module),
                None => self.opaque.extend(entry_images(container)?),
            }
        }
        let mut architectures = self.lto_ir.iter().map(|module| module.architecture.as_str());
        let Some(first) = architectures.next() else { return Ok(()) };
        match architectures.find(|other| *other != first) {
            Some(other) => Err(LtoIrError::Ambiguous(format!("{first}, {other}")).into()),
            None => Ok(()),
        }
    }

    /// Adds the bitcode among `images` that is for `architecture`, and the opaque images.
    fn choose(
        &mut self,
        images: &[Image<'data>],
        architecture: Option<&'data str>,
    ) -> Result<(), DeviceCodeError> {
        let mut bitcode = Vec::new();
        for image in images.iter().filter(|image| image.triple.starts_with("nvptx")) {
            if is_bitcode(image.content) {
                bitcode.push(image);
            } else {
                self.opaque.extend(opaque_images(image.content, image.architecture)?);
            }
        }
        let mut architectures: Vec<&str> = Vec::new();
        for image in &bitcode {
            if !architectures.contains(&image.architecture) {
                architectures.push(image.architecture);
            }
        }
        let present = || architectures.join(", ");
        let has_others = !self.opaque.is_empty() || !self.lto_ir.is_empty();
        let chosen = match (architectures.as_slice(), architecture) {
            ([], Some(wanted)) if !has_others => {
                let (wanted, present) = (wanted.to_owned(), "nothing".to_owned());
                return Err(DeviceCodeError::NoSuchArchitecture { wanted, present });
            }
            ([], _) => "",
            ([only], None) => only,
            (_, None) => return Err(DeviceCodeError::Ambiguous(present())),
            (several, Some(wanted)) => {
                best_fit(several.iter().copied(), wanted).ok_or_else(|| {
                    let (wanted, present) = (wanted.to_owned(), present());
                    DeviceCodeError::NoSuchArchitecture { wanted, present }
                })?
            }
        };
        let modules = bitcode.iter().filter(|image| image.architecture == chosen);
        self.modules.extend(modules.map(|image| Bitcode {
            content: image.content,
            architecture: architecture.unwrap_or(image.architecture),
        }));
        Ok(())
    }
}
