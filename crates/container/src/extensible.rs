//! Turns cubins that ptxas made as extensible whole programs into relocatable ones.
//!
//! nvlink takes such a cubin like a relocatable one, but warns, because in general the code in it
//! is right only if nothing else is linked: offsets of constant variables are numbers in the code.
//! For a module that [depends on nothing](super::dependence()) nothing in the cubin depends on what
//! else is linked, so it may be called relocatable, which is one field of its header. A module with
//! constants takes [more](super::relocatable_with_constants).

use object::Endianness;
use object::elf::{ET_REL, FileHeader64, FileType};
use object::read::elf::{FileHeader as _, SectionHeader as _};
use thiserror::Error;

use crate::cubin::is_cubin;

/// The type in the header of an extensible whole program, which is NVIDIA's own.
const EXTENSIBLE: FileType = FileType(0xff00);
/// Offset of the type in the header.
const TYPE: usize = 16;
/// Beginning of the names of sections with constants: a number follows and, where they belong to
/// one kernel, a dot and the kernel's name.
const CONSTANTS: &str = ".nv.constant";

/// Why a cubin cannot be linked with others.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ExtensibleError {
    /// The output of ptxas is not what was requested.
    #[error("the cubin is no extensible whole program")]
    OtherType,
    /// The code has the offsets of constants that the linker moves.
    #[error("the cubin has constants that are no kernel's own, in {0}")]
    SharedConstants(String),
    /// The file is damaged.
    #[error("{0}")]
    Malformed(String),
}

impl From<object::Error> for ExtensibleError {
    fn from(error: object::Error) -> Self {
        Self::Malformed(error.to_string())
    }
}

/// Turns the cubin that ptxas made of a self-contained module as an extensible whole program into a
/// relocatable one.
pub fn relocatable(mut cubin: Vec<u8>) -> Result<Vec<u8>, ExtensibleError> {
    check(&cubin, None)?;
    let (start, end) = (TYPE, TYPE + size_of::<u16>());
    cubin[start..end].copy_from_slice(&ET_REL.0.to_le_bytes());
    Ok(cubin)
}

/// Checks that the cubin is an extensible whole program that has no shared constants but those in
/// the section `known`.
pub(crate) fn check(cubin: &[u8], known: Option<&str>) -> Result<(), ExtensibleError> {
    let header = FileHeader64::<Endianness>::parse(cubin)?;
    let endian = header.endian()?;
    if !is_cubin(cubin) || header.e_type.get(endian) != EXTENSIBLE {
        return Err(ExtensibleError::OtherType);
    }
    let sections = header.sections(endian, cubin)?;
    for section in sections.iter() {
        let name = String::from_utf8_lossy(sections.section_name(endian, section)?);
        let shared = name.strip_prefix(CONSTANTS).is_some_and(|rest| !rest.contains('.'));
        if shared && known != Some(&name) && section.sh_size(endian) > 0 {
            return Err(ExtensibleError::SharedConstants(name.into_owned()));
        }
    }
    Ok(())
}
