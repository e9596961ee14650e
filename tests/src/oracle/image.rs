//! Facts about kernels and variables that a linked image states.
//!
//! The readers of `crates/container` are part of what is tested, so this reader shares no code with
//! them.

use std::collections::{BTreeMap, BTreeSet};

use object::elf::{STB_LOCAL, STT_FUNC, STT_OBJECT};
use object::read::elf::{ElfFile64, Sym as _};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, RelocationFlags};

use super::attributes::{Attribute, REGISTER_LIMIT, attributes};
use super::names::original;
use super::targets::target;

/// Bit of a symbol's `st_other` that tells kernels from other functions.
pub(super) const ENTRY: u8 = 0x10;
/// Sections of variables and their memories.
const MEMORIES: [(&str, Memory); 3] = [
    (".nv.global", Memory::Global),
    (".nv.global.init", Memory::Global),
    (".nv.constant3", Memory::Constant),
];

/// The memory that holds a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// `__device__`, with or without initial bytes.
    Global,
    /// `__constant__`.
    Constant,
}

/// A linked image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Kernels by symbol.
    pub kernels: BTreeMap<String, Kernel>,
    /// Variables in the order of the symbol table. Local variables may share a name.
    pub variables: Vec<Variable>,
}

/// A kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel {
    /// Offset and size of each parameter, by ordinal.
    pub parameters: BTreeMap<u16, (u32, u32)>,
    /// Values of the attributes that bound launches, by NVIDIA's number of the attribute.
    pub bounds: BTreeMap<u8, Vec<u8>>,
    /// Bytes of static shared memory, including the system's reserved bytes.
    pub shared_bytes: u64,
    /// Alignment of the shared memory, static and dynamic.
    pub shared_alignment: u64,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Symbol of the variable.
    pub symbol: String,
    /// Whether other units cannot name the variable.
    pub is_local: bool,
    /// Memory that holds the variable.
    pub memory: Memory,
    /// Largest power of two that is known to divide the address.
    pub alignment: u64,
    /// Initial bytes, as many as the variable's size. The bytes of pointers are zero.
    pub bytes: Vec<u8>,
    /// Pointers among the initial bytes.
    pub pointers: Vec<Pointer>,
}

/// A pointer that the loader fills in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// Offset of the pointer in the variable.
    pub offset: u64,
    /// All names of the pointer's target, without the suffix that Weft adds to locals.
    pub targets: BTreeSet<String>,
    /// Distance in bytes from the target.
    pub addend: i64,
    /// NVIDIA's number of the relocation if the target is a variable, where it tells generic
    /// addresses from others. Zero for functions, whose addresses are of one kind under several
    /// numbers.
    pub kind: u32,
}

type File<'data> = ElfFile64<'data>;

impl Image {
    /// Forgets the limits of registers of all kernels.
    pub fn forget_register_limits(&mut self) {
        for kernel in self.kernels.values_mut() {
            kernel.bounds.remove(&REGISTER_LIMIT);
        }
    }

    /// Reads an image.
    pub fn read(data: &[u8]) -> Result<Self, String> {
        let file = File::parse(data).map_err(|error| error.to_string())?;
        let mut image = Self::default();
        for symbol in file.symbols() {
            let name = symbol.name().map_err(|error| error.to_string())?;
            let raw = symbol.elf_symbol();
            if raw.st_type() == STT_FUNC && raw.st_other().0 & ENTRY != 0 {
                image.kernels.insert(name.to_owned(), kernel(&file, name)?);
            } else if raw.st_type() == STT_OBJECT
                && let Some(variable) = variable(&file, &symbol, name)?
            {
                image.variables.push(variable);
            }
        }
        Ok(image)
    }

    /// Returns the variables that were called `name` in their units.
    pub fn variables_of<'image>(
        &'image self,
        name: &'image str,
    ) -> impl Iterator<Item = &'image Variable> {
        self.variables.iter().filter(move |variable| original(&variable.symbol) == name)
    }

    /// Returns whether there is a kernel or variable with exactly this symbol.
    pub fn has(&self, symbol: &str) -> bool {
        self.kernels.contains_key(symbol)
            || self.variables.iter().any(|variable| variable.symbol == symbol)
    }
}

fn kernel(file: &File<'_>, name: &str) -> Result<Kernel, String> {
    let mut kernel = Kernel::default();
    if let Some(section) = file.section_by_name(&format!(".nv.info.{name}")) {
        for attribute in attributes(section.data().map_err(|error| error.to_string())?)? {
            match attribute {
                Attribute::Parameter { ordinal, offset, size } => {
                    kernel.parameters.insert(ordinal, (offset, size));
                }
                Attribute::Bound { kind, value } => {
                    kernel.bounds.insert(kind, value);
                }
                Attribute::Other => {}
            }
        }
    }
    if let Some(section) = file.section_by_name(&format!(".nv.shared.{name}")) {
        kernel.shared_bytes = section.size();
        kernel.shared_alignment = section.align();
    }
    Ok(kernel)
}

fn variable<'data, 'file>(
    file: &'file File<'data>,
    symbol: &object::read::elf::ElfSymbol64<'data, 'file>,
    name: &str,
) -> Result<Option<Variable>, String> {
    let Some(index) = symbol.section_index() else { return Ok(None) };
    let section = file.section_by_index(index).map_err(|error| error.to_string())?;
    let section_name = section.name().map_err(|error| error.to_string())?;
    let Some((_, memory)) = MEMORIES.iter().find(|(known, _)| *known == section_name) else {
        return Ok(None);
    };
    let (start, size) = (symbol.address(), symbol.size());
    let all = section.data().map_err(|error| error.to_string())?;
    let length = usize::try_from(size).map_err(|error| error.to_string())?;
    let first = usize::try_from(start).map_err(|error| error.to_string())?;
    // A section without initial bytes has no data in the file.
    let mut bytes = if all.is_empty() {
        vec![0; length]
    } else {
        let part = all.get(first..first + length);
        part.ok_or_else(|| format!("{name} is beyond the end of {section_name}"))?.to_vec()
    };
    let mut pointers = Vec::new();
    for (place, relocation) in section.relocations() {
        if place < start || place >= start + size {
            continue;
        }
        let offset = place - start;
        let target = target(file, &relocation)?;
        let RelocationFlags::Elf { r_type } = relocation.flags() else {
            return Err(format!("{name}: a relocation that is not ELF's"));
        };
        let kind = if target.is_function { 0 } else { r_type.0 };
        pointers.push(Pointer { offset, targets: target.names, addend: target.distance, kind });
        let at = usize::try_from(offset).map_err(|error| error.to_string())?;
        bytes.iter_mut().skip(at).take(8).for_each(|byte| *byte = 0);
    }
    pointers.sort_by_key(|pointer| pointer.offset);
    let alignment = if start == 0 { section.align() } else { 1 << start.trailing_zeros() };
    Ok(Some(Variable {
        symbol: name.to_owned(),
        is_local: symbol.elf_symbol().st_bind() == STB_LOCAL,
        memory: *memory,
        alignment: alignment.min(section.align().max(1)),
        bytes,
        pointers,
    }))
}
