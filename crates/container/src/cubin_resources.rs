//! The resources that each kernel of a cubin takes of a multiprocessor, from the cubin's sections.
//!
//! Section `.nv.info` holds facts about every function, `.nv.info.NAME` about one kernel. Both are
//! lists of attributes: a byte for the format, one for the attribute, and two bytes that are the
//! value, or the length of the value that follows. Other resources are the sizes of sections.

use std::collections::{BTreeMap, BTreeSet};

use object::elf::{self, FileHeader64, SectionHeader64};
use object::read::elf::{FileHeader as _, SectionHeader as _, Sym as _};
use object::{Endianness, SectionIndex, SymbolIndex};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::bytes::{read_u16, read_u32};
use crate::cubin_calls::{self, Calls};
use crate::cubin_images::{Images, images};

/// Bit in a symbol's `st_other` that marks a kernel among functions.
const ENTRY: u8 = 0x10;
/// Format of an attribute whose value follows the two bytes.
const VALUE_FOLLOWS: u8 = 4;
const MAX_THREADS: u8 = 0x05;
const REQUIRED_THREADS: u8 = 0x10;
const FRAME_SIZE: u8 = 0x11;
const REGISTERS: u8 = 0x2F;
const BARRIERS: u8 = 0x4C;
/// Sections of variables in global memory: without initial values, and with them.
const GLOBAL_SECTIONS: [&[u8]; 2] = [b".nv.global", b".nv.global.init"];

/// Resources of one kernel. In a relocatable cubin, the needs of functions of other modules are not
/// included.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelResources {
    /// Name of the kernel.
    pub name: String,
    /// Registers of a thread, in the kernel and in the functions of the cubin that it reaches.
    pub registers: u32,
    /// Number of bytes of a thread's stack frame, in local memory.
    pub stack_bytes: u32,
    /// Number of bytes of static shared memory of a block.
    pub shared_bytes: u64,
    /// Number of bytes by constant bank, for banks that belong to the kernel or to the whole cubin.
    #[serde(deserialize_with = "by_bank")]
    pub constant_bytes: BTreeMap<u32, u64>,
    /// Number of bytes of all variables in global memory that the cubin defines, which all of its
    /// kernels share.
    #[serde(default)]
    pub global_bytes: u64,
    /// Number of named barriers.
    pub barriers: u32,
    /// Number of texture references that the kernel names, in its own code and in the functions of
    /// the cubin that it reaches. Texture objects are arguments or data, which nothing counts.
    #[serde(default)]
    pub textures: u32,
    /// The same of surface references.
    #[serde(default)]
    pub surfaces: u32,
    /// The same of sampler references.
    #[serde(default)]
    pub samplers: u32,
    /// Maximum block size that the kernel was compiled for, if the cubin states it.
    pub max_threads: Option<u32>,
}

/// Reads a map by number. In a flattened record, serde takes keys for text.
fn by_bank<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<u32, u64>, D::Error> {
    BTreeMap::<String, u64>::deserialize(deserializer)?
        .into_iter()
        .map(|(bank, bytes)| Ok((bank.parse().map_err(D::Error::custom)?, bytes)))
        .collect()
}

/// Whether a symbol of a cubin is a kernel, rather than a function that device code calls.
pub(crate) fn is_kernel(symbol: &elf::Sym64<Endianness>) -> bool {
    symbol.st_type() == elf::STT_FUNC && symbol.st_other().0 & ENTRY != 0
}

/// Returns the resources of every kernel of the cubin `data`, sorted by name.
pub fn kernel_resources(data: &[u8]) -> object::Result<Vec<KernelResources>> {
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let symbols = sections.symbols(endian, data, elf::SHT_SYMTAB)?;
    let mut kernels = BTreeMap::new();
    for (index, symbol) in symbols.iter().enumerate() {
        if is_kernel(symbol) {
            let name = String::from_utf8_lossy(symbols.symbol_name(endian, symbol)?).into_owned();
            kernels.insert(index, KernelResources { name, ..KernelResources::default() });
        }
    }
    let named = |section: &SectionHeader64<Endianness>| -> object::Result<String> {
        let name = sections.section_name(endian, section)?;
        Ok(String::from_utf8_lossy(name).into_owned())
    };
    for section in sections.iter() {
        let name = named(section)?;
        if name == ".nv.info" {
            for attribute in Attributes(section.data(endian, data)?) {
                attribute.apply_to_function(&mut kernels);
            }
        }
    }
    for (index, registers) in registers(data)?.reached {
        if let Some(kernel) = kernels.get_mut(&index) {
            kernel.registers = kernel.registers.max(registers);
        }
    }
    let global_bytes = GLOBAL_SECTIONS
        .iter()
        .filter_map(|name| sections.section_by_name(endian, name))
        .map(|(_, section): (SectionIndex, _)| section.sh_size(endian))
        .sum();
    for (index, images) in named_images(data)? {
        if let Some(kernel) = kernels.get_mut(&index) {
            let count =
                |symbols: &BTreeSet<usize>| u32::try_from(symbols.len()).unwrap_or(u32::MAX);
            kernel.textures = count(&images.textures);
            kernel.surfaces = count(&images.surfaces);
            kernel.samplers = count(&images.samplers);
        }
    }
    let mut kernels: Vec<_> = kernels.into_values().collect();
    for kernel in &mut kernels {
        let find = |name: &str| -> object::Result<Option<&SectionHeader64<Endianness>>> {
            let wanted = format!("{name}.{}", kernel.name);
            let section = sections.section_by_name(endian, wanted.as_bytes());
            Ok(section.map(|(_, section): (SectionIndex, _)| section))
        };
        let info = find(".nv.info")?;
        let shared = find(".nv.shared")?;
        for section in sections.iter() {
            let name = named(section)?;
            if let Some(bank) = constant_bank(&name, &kernel.name) {
                kernel.constant_bytes.insert(bank, section.sh_size(endian));
            }
        }
        kernel.global_bytes = global_bytes;
        kernel.shared_bytes = shared.map_or(0, |section| section.sh_size(endian));
        if let Some(info) = info {
            let attributes = Attributes(info.data(endian, data)?);
            attributes.for_each(|attribute| attribute.apply_to_kernel(kernel));
        }
    }
    kernels.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(kernels)
}

/// Returns whether a kernel of the cubin `data` reaches a function that takes more registers than
/// the kernel's own code.
pub fn has_costly_functions(data: &[u8]) -> object::Result<bool> {
    let Registers { own, reached } = registers(data)?;
    Ok(reached.iter().any(|(kernel, reached)| *reached > own.get(kernel).copied().unwrap_or(0)))
}

/// Registers of the code that calls, and of the code that is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnRegisters {
    /// For each kernel of the cubin that calls a function, directly or through a pointer, registers
    /// of the kernel's own code.
    pub callers: BTreeMap<String, u32>,
    /// Maximum over the cubin's functions other than kernels; 0 without any.
    pub functions: u32,
}

/// Returns the registers of the code of the cubin `data`, without those that a kernel gets because
/// of the functions that it calls.
pub fn own_registers(data: &[u8]) -> object::Result<OwnRegisters> {
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let symbols = sections.symbols(endian, data, elf::SHT_SYMTAB)?;
    let calls = calls(data)?;
    let mut registers = OwnRegisters::default();
    for (index, own) in self::registers(data)?.own {
        let symbol = symbols.symbol(SymbolIndex(index))?;
        let function = u32::try_from(index).unwrap_or(u32::MAX);
        if !is_kernel(symbol) {
            registers.functions = registers.functions.max(own);
        } else if calls.are_indirect(function) || calls.of(function).next().is_some() {
            let name = String::from_utf8_lossy(symbols.symbol_name(endian, symbol)?).into_owned();
            registers.callers.insert(name, own);
        }
    }
    Ok(registers)
}

/// Registers of the functions of a cubin, by index of their symbols.
struct Registers {
    /// Registers of each function's own code.
    own: BTreeMap<usize, u32>,
    /// For each kernel, maximum over the functions of the cubin that it reaches by calls; 0 if it
    /// reaches none.
    reached: BTreeMap<usize, u32>,
}

/// Returns the content of a section of the cubin `data`; nothing if the cubin does not have it.
fn content<'data>(data: &'data [u8], name: &[u8]) -> object::Result<&'data [u8]> {
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    match sections.section_by_name(endian, name) {
        Some((_, section)) => section.data(endian, data),
        None => Ok(&[]),
    }
}

fn calls(data: &[u8]) -> object::Result<Calls> {
    Ok(Calls::read(content(data, cubin_calls::SECTION)?))
}

fn registers(data: &[u8]) -> object::Result<Registers> {
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let symbols = sections.symbols(endian, data, elf::SHT_SYMTAB)?;
    let info = content(data, b".nv.info")?;
    let own: BTreeMap<usize, u32> = Attributes(info)
        .filter(|attribute| attribute.kind == REGISTERS)
        .filter_map(|attribute| {
            Some((read_u32(attribute.value, 0)? as usize, read_u32(attribute.value, 4)?))
        })
        .collect();
    let calls = calls(data)?;
    let most = |kernel: u32| {
        let functions = calls.reached(kernel).into_iter();
        functions.filter_map(|function| own.get(&(function as usize)).copied()).max().unwrap_or(0)
    };
    let kernels = (0_u32..).zip(symbols.iter()).filter(|(_, symbol)| is_kernel(symbol));
    let reached = kernels.map(|(kernel, _)| (kernel as usize, most(kernel))).collect();
    Ok(Registers { own, reached })
}

/// Returns the images that each kernel names, by the index of its symbol, together with those of
/// the functions of the cubin that it reaches.
fn named_images(data: &[u8]) -> object::Result<BTreeMap<usize, Images>> {
    let images = images(data)?;
    if images.is_empty() {
        return Ok(BTreeMap::new());
    }
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let symbols = sections.symbols(endian, data, elf::SHT_SYMTAB)?;
    let calls = calls(data)?;
    let mut named = BTreeMap::new();
    for (kernel, symbol) in (0_u32..).zip(symbols.iter()) {
        if !is_kernel(symbol) {
            continue;
        }
        let mut all = Images::default();
        for function in calls.reached(kernel).into_iter().chain([kernel]) {
            let symbol = symbols.symbol(SymbolIndex(function as usize))?;
            let name = String::from_utf8_lossy(symbols.symbol_name(endian, symbol)?);
            if let Some(images) = images.get(&*name) {
                all.merge(images);
            }
        }
        named.insert(kernel as usize, all);
    }
    Ok(named)
}

/// Returns the bank of the section `.nv.constantBANK` or `.nv.constantBANK.KERNEL`.
fn constant_bank(section: &str, kernel: &str) -> Option<u32> {
    let rest = section.strip_prefix(".nv.constant")?;
    let (bank, owner) = rest.split_once('.').unwrap_or((rest, kernel));
    if owner == kernel { bank.parse().ok() } else { None }
}

/// One attribute with its value.
struct Attribute<'data> {
    kind: u8,
    /// Value of an attribute with two bytes.
    short: u16,
    /// Value that follows the two bytes.
    value: &'data [u8],
}

/// Iterator over the attributes of a section's content. It ends at a damaged attribute.
struct Attributes<'data>(&'data [u8]);

impl<'data> Iterator for Attributes<'data> {
    type Item = Attribute<'data>;

    fn next(&mut self) -> Option<Attribute<'data>> {
        let short = read_u16(self.0, 2)?;
        let (format, kind) = (self.0[0], self.0[1]);
        let length = if format == VALUE_FOLLOWS { usize::from(short) } else { 0 };
        let value = self.0.get(4..4 + length)?;
        self.0 = &self.0[4 + length..];
        Some(Attribute { kind, short, value })
    }
}

impl Attribute<'_> {
    /// Applies an attribute of a function, whose symbol is the first number of the value.
    fn apply_to_function(&self, kernels: &mut BTreeMap<usize, KernelResources>) {
        let kernel = read_u32(self.value, 0).and_then(|symbol| kernels.get_mut(&(symbol as usize)));
        let (Some(kernel), Some(number)) = (kernel, read_u32(self.value, 4)) else { return };
        match self.kind {
            REGISTERS => kernel.registers = number,
            FRAME_SIZE => kernel.stack_bytes = number,
            _ => {}
        }
    }

    fn apply_to_kernel(&self, kernel: &mut KernelResources) {
        match self.kind {
            BARRIERS => kernel.barriers = u32::from(self.short & 0xFF),
            MAX_THREADS | REQUIRED_THREADS => {
                let sizes = [0, 4, 8].map(|offset| read_u32(self.value, offset));
                kernel.max_threads =
                    sizes.into_iter().try_fold(1_u32, |product, size| product.checked_mul(size?));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_read_to_the_end_and_no_further() {
        let content = [
            4,
            REGISTERS,
            8,
            0,
            7,
            0,
            0,
            0,
            40,
            0,
            0,
            0, // 40 registers for symbol 7
            2,
            BARRIERS,
            3,
            0, // 3 barriers
            4,
            MAX_THREADS,
            12,
            0,
            128,
            0,
            0,
            0,
            2,
            0,
            0,
            0,
            1,
            0,
            0,
            0, // 128 by 2 by 1 threads
            4,
            FRAME_SIZE,
            8,
            0,
            7,
            0, // damaged
        ];
        let mut kernels = BTreeMap::from([(7, KernelResources::default())]);
        assert_eq!(Attributes(&content).count(), 3);
        Attributes(&content).for_each(|attribute| attribute.apply_to_function(&mut kernels));
        let mut kernel = kernels.remove(&7).unwrap_or_default();
        Attributes(&content).for_each(|attribute| attribute.apply_to_kernel(&mut kernel));
        assert_eq!((kernel.registers, kernel.barriers, kernel.stack_bytes), (40, 3, 0));
        assert_eq!(kernel.max_threads, Some(256));
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let kernel = KernelResources {
            name: "k".to_owned(),
            registers: 40,
            constant_bytes: BTreeMap::from([(0, 528), (3, 20)]),
            ..KernelResources::default()
        };
        let text = serde_json::to_string(&kernel).unwrap();
        assert_eq!(serde_json::from_str::<KernelResources>(&text).unwrap(), kernel);
        let damaged = text.replace("\"3\"", "\"three\"");
        assert!(serde_json::from_str::<KernelResources>(&damaged).is_err());
    }

    #[test]
    fn constant_banks_belong_to_a_kernel_or_to_all() {
        assert_eq!(constant_bank(".nv.constant0.k", "k"), Some(0));
        assert_eq!(constant_bank(".nv.constant3", "k"), Some(3));
        assert_eq!(constant_bank(".nv.constant0.kernel", "k"), None);
        assert_eq!(constant_bank(".nv.info.k", "k"), None);
    }
}
