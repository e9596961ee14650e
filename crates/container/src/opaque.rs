//! Images without bitcode: their kinds, and the symbols that they define and need.

use std::borrow::Cow;

use thiserror::Error;
use weft_artifact::{OpaqueImage, OpaqueKind, architecture_number};

use crate::cubin::{cubin_architecture, cubin_symbols, cubin_virtual_architecture, is_cubin};
use crate::decompress::{Compression, DecompressError, decompress};
use crate::fatbin::{FatbinEntry, FatbinError, FatbinKind, fatbin_entries, is_fatbin};
use crate::ptx::{PtxError, is_ptx, ptx_facts};

const LTO_IR_MAGIC: [u8; 4] = [0xED, 0x43, 0x4E, 0x7F];

/// The error of reading an image without bitcode.
#[derive(Debug, Error)]
pub enum OpaqueError {
    /// The fat binary is malformed.
    #[error(transparent)]
    Fatbin(#[from] FatbinError),
    /// The cubin is malformed.
    #[error("malformed cubin: {0}")]
    Cubin(#[from] object::Error),
    /// The PTX is malformed.
    #[error(transparent)]
    Ptx(#[from] PtxError),
}

/// Whether `content` starts like one of NVIDIA's forms of device code.
pub(crate) fn is_opaque(content: &[u8]) -> bool {
    is_cubin(content) || is_fatbin(content) || is_lto_ir(content) || is_ptx(content)
}

/// Returns the images in `content`: one, or those of a fat binary. `architecture` is the
/// architecture of an image that states none.
pub(crate) fn opaque_images(
    content: &[u8],
    architecture: &str,
) -> Result<Vec<OpaqueImage>, OpaqueError> {
    if is_fatbin(content) {
        return entry_images(fatbin_entries(content)?);
    }
    let mut image = OpaqueImage {
        kind: OpaqueKind::Object,
        architecture: architecture.to_owned(),
        virtual_architecture: None,
        compressed: false,
        symbols: None,
    };
    if is_lto_ir(content) {
        image.kind = OpaqueKind::NvidiaLtoIr;
    } else if is_cubin(content) || is_ptx(content) {
        image = read(content)?;
        if !architecture.is_empty() {
            architecture.clone_into(&mut image.architecture);
        }
    }
    Ok(vec![image])
}

/// Returns the images of a fat binary's entries.
pub(crate) fn entry_images(entries: Vec<FatbinEntry<'_>>) -> Result<Vec<OpaqueImage>, OpaqueError> {
    entries.into_iter().map(entry_image).collect()
}

/// Whether `content` starts like LTO IR outside a fat binary.
pub(crate) fn is_lto_ir(content: &[u8]) -> bool {
    content.starts_with(&LTO_IR_MAGIC)
}

/// Reads a cubin or PTX.
fn read(content: &[u8]) -> Result<OpaqueImage, OpaqueError> {
    let (kind, architecture, virtual_architecture, symbols) = if is_cubin(content) {
        let architecture = cubin_architecture(content).unwrap_or_default();
        let compiled_for = cubin_virtual_architecture(content)?;
        (OpaqueKind::Cubin, architecture, compiled_for, cubin_symbols(content)?)
    } else {
        let facts = ptx_facts(content)?;
        let compiled_for = architecture_number(&facts.architecture);
        (OpaqueKind::Ptx, facts.architecture, compiled_for, facts.symbols)
    };
    let symbols = Some(symbols);
    Ok(OpaqueImage { kind, architecture, virtual_architecture, compressed: false, symbols })
}

fn entry_image(entry: FatbinEntry<'_>) -> Result<OpaqueImage, OpaqueError> {
    let Some(content) = entry_content(&entry)? else {
        return Ok(unknown(entry));
    };
    Ok(OpaqueImage {
        architecture: entry.architecture,
        compressed: matches!(content, Cow::Owned(_)),
        ..read(&content)?
    })
}

/// Returns the cubin or PTX that an entry holds; `None` if it holds something else, or has a form
/// that only NVIDIA's tools read.
pub(crate) fn entry_content<'data>(
    entry: &FatbinEntry<'data>,
) -> Result<Option<Cow<'data, [u8]>>, OpaqueError> {
    let content = match entry.compression {
        Compression::None => Cow::Borrowed(entry.content),
        compression => match decompress(compression, entry.content, entry.size) {
            Ok(content) => Cow::Owned(content),
            Err(DecompressError::Refused) => return Ok(None),
            Err(DecompressError::Malformed) => {
                let architecture = entry.architecture.clone();
                return Err(FatbinError::Compressed { architecture }.into());
            }
        },
    };
    let as_claimed = match entry.kind {
        FatbinKind::Elf => is_cubin(&content),
        FatbinKind::Ptx => is_ptx(&content),
        FatbinKind::LtoIr | FatbinKind::Other(_) => false,
    };
    Ok(as_claimed.then_some(content))
}

/// Returns the image of an entry whose symbols are unknown.
fn unknown(entry: FatbinEntry<'_>) -> OpaqueImage {
    let kind = match entry.kind {
        FatbinKind::Elf => OpaqueKind::Cubin,
        FatbinKind::Ptx => OpaqueKind::Ptx,
        FatbinKind::LtoIr => OpaqueKind::NvidiaLtoIr,
        FatbinKind::Other(_) => OpaqueKind::Fatbin,
    };
    OpaqueImage {
        kind,
        architecture: entry.architecture,
        virtual_architecture: None,
        compressed: entry.compression != Compression::None,
        symbols: None,
    }
}
