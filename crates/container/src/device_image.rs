//! The linked device images of a program, and the entries that the CUDA runtime finds in each.

use std::borrow::Cow;
use std::collections::BTreeSet;

use object::Endianness;
use object::elf::{self, FileHeader64};
use object::read::elf::{FileHeader as _, Sym as _};

use crate::cubin::{CUDA_OBJECT, cubin_architecture, is_cubin};
use crate::cubin_resources::is_kernel;
use crate::fatbin::{FatbinKind, fatbin_entries, is_fatbin};
use crate::linked::RegisteredEntry;
use crate::opaque::{OpaqueError, entry_content};
use crate::ptx::ptx_facts;

/// Beginnings of the names of a cubin's sections that hold variables of the whole program.
const SECTIONS_OF_VARIABLES: [&[u8]; 2] = [b".nv.global", b".nv.constant"];

/// One image, for one architecture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceImage<'data> {
    /// Whether the image is PTX; otherwise it is a cubin.
    pub is_ptx: bool,
    /// Architecture, such as `sm_90`. A cubin outside a fat binary does not distinguish `sm_90a`
    /// from `sm_90`.
    pub architecture: String,
    /// Bytes of the image; `None` if only NVIDIA's tools can read them.
    content: Option<Cow<'data, [u8]>>,
    kernels: BTreeSet<String>,
    variables: BTreeSet<String>,
}

impl DeviceImage<'_> {
    /// Whether the runtime finds the entry in the image; `None` if the image cannot be read.
    pub fn has(&self, entry: &RegisteredEntry) -> Option<bool> {
        self.content.as_ref()?;
        let names = if entry.is_kernel { &self.kernels } else { &self.variables };
        Some(names.contains(&entry.device_name))
    }

    /// Returns all kernels and variables that the runtime finds in the image.
    pub fn entries(&self) -> impl Iterator<Item = RegisteredEntry> {
        let of = |is_kernel, names: &BTreeSet<String>| {
            let entry = move |device_name| RegisteredEntry { device_name, is_kernel };
            names.clone().into_iter().map(entry)
        };
        of(true, &self.kernels).chain(of(false, &self.variables))
    }

    /// Returns the bytes of the image if it is a cubin that can be read.
    pub fn cubin(&self) -> Option<&[u8]> {
        self.content.as_deref().filter(|content| !self.is_ptx && is_cubin(content))
    }

    /// Whether both images have the same bytes, except for zeros that a container has added at the
    /// end.
    pub fn is_same(&self, other: &DeviceImage<'_>) -> bool {
        let trimmed = |image: &DeviceImage<'_>| {
            let content = image.content.as_deref()?;
            let length = content.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
            Some(content[..length].to_vec())
        };
        self.is_ptx == other.is_ptx
            && trimmed(self).is_some_and(|content| Some(content) == trimmed(other))
    }
}

/// Returns the images in `content`: a cubin, PTX, or fat binaries one after the other.
pub fn device_images(content: &[u8]) -> Result<Vec<DeviceImage<'_>>, OpaqueError> {
    if content.is_empty() {
        return Ok(Vec::new());
    }
    if !is_fatbin(content) && !content.starts_with(&[0]) {
        let architecture = if is_cubin(content) {
            cubin_architecture(content).unwrap_or_default()
        } else {
            ptx_facts(content)?.architecture
        };
        return Ok(vec![image(architecture, !is_cubin(content), Some(Cow::Borrowed(content)))?]);
    }
    let mut images = Vec::new();
    for entry in fatbin_entries(content)? {
        let content = entry_content(&entry)?;
        images.push(image(entry.architecture, entry.kind == FatbinKind::Ptx, content)?);
    }
    Ok(images)
}

fn image(
    architecture: String,
    is_ptx: bool,
    content: Option<Cow<'_, [u8]>>,
) -> Result<DeviceImage<'_>, OpaqueError> {
    let (kernels, variables) = match &content {
        None => (BTreeSet::new(), BTreeSet::new()),
        // The symbols of PTX do not distinguish kernels from variables, but a symbol of the wrong
        // kind does not link.
        Some(text) if is_ptx => {
            let facts = ptx_facts(text)?;
            let names = facts.symbols.defines.into_iter().chain(facts.local_definitions);
            let names: BTreeSet<_> = names.collect();
            (names.clone(), names)
        }
        Some(cubin) => symbols(cubin)?,
    };
    Ok(DeviceImage { is_ptx, architecture, content, kernels, variables })
}

/// Returns the names of the kernels and the variables in a cubin that the runtime finds. It finds
/// local ones, too: nvcc's own images have `static` variables and kernels of anonymous namespaces
/// as local symbols. The other local symbols are parts of the code, and shared memory.
fn symbols(cubin: &[u8]) -> object::Result<(BTreeSet<String>, BTreeSet<String>)> {
    let header = FileHeader64::<Endianness>::parse(cubin)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, cubin)?;
    let table = sections.symbols(endian, cubin, elf::SHT_SYMTAB)?;
    let lies_in_memory_of_program = |index: usize, symbol: &elf::Sym64<Endianness>| {
        let section = table.symbol_section(endian, symbol, object::SymbolIndex(index)).ok()??;
        let name = sections.section_name(endian, sections.section(section).ok()?).ok()?;
        Some(SECTIONS_OF_VARIABLES.iter().any(|start| name.starts_with(start)))
    };
    let (mut kernels, mut variables) = (BTreeSet::new(), BTreeSet::new());
    for (index, symbol) in table.iter().enumerate() {
        if symbol.is_undefined(endian) {
            continue;
        }
        let name = || table.symbol_name(endian, symbol).map(String::from_utf8_lossy);
        let is_visible = matches!(symbol.st_bind(), elf::STB_GLOBAL | elf::STB_WEAK);
        let is_local_variable = || {
            let has_memory = matches!(symbol.st_type(), elf::STT_OBJECT | CUDA_OBJECT);
            has_memory && lies_in_memory_of_program(index, symbol) == Some(true)
        };
        if is_kernel(symbol) {
            kernels.insert(name()?.into_owned());
        } else if symbol.st_type() != elf::STT_FUNC && (is_visible || is_local_variable()) {
            variables.insert(name()?.into_owned());
        }
    }
    Ok((kernels, variables))
}
