//! Turns cubins of extensible whole programs with constants into relocatable ones.
//!
//! ptxas leaves no relocation for a constant in such a cubin: offsets are numbers in the code. Two
//! cubins of one module, with its [constants apart](super::constants_apart()) in two layouts, show
//! each of them. The relocatable cubin has a relocation in its place, of the type that ptxas uses
//! itself in a relocatable cubin.

use std::collections::BTreeSet;

use object::elf::{ET_REL, SHF_EXECINSTR, SHF_INFO_LINK, SHT_REL, SHT_RELA};
use object::{U32, U64};

use crate::bytes::read_u32;
use crate::constant_layout::{CONSTANTS, Layout, Places};
use crate::constant_references::{Reference, has_hidden, take, take_words};
use crate::cubin::cubin_architecture;
use crate::extensible::{ExtensibleError, check};
use crate::ptx::ConstantsApart;
use crate::rewritten_elf::{ENDIAN, RewrittenElf, Section};

/// First architecture whose cubins hold all code a second time in another form, with offsets of
/// constants as well.
const FIRST_WITH_SECOND_FORM: u32 = 100;
/// Bytes of a relocation with an addend.
const RELOCATION: usize = 24;
/// Offset of the symbol's number in a relocation.
const SYMBOL: usize = 12;

/// Whether ptxas's code for `architecture`, such as `sm_90a`, shows its references to constants.
pub fn shows_constants(architecture: &str) -> bool {
    let number = architecture.trim_start_matches("sm_").trim_end_matches(char::is_alphabetic);
    number.parse().is_ok_and(|number: u32| number < FIRST_WITH_SECOND_FORM)
}

/// Whether a second layout would show all offsets in the code of the first `cubin`.
pub fn shows_all_constants(cubin: &[u8]) -> Result<bool, ExtensibleError> {
    check(cubin, Some(CONSTANTS))?;
    let file = RewrittenElf::read(cubin)?;
    Ok(!file.sections.iter().any(|section| is_code(section) && has_hidden(&section.content)))
}

/// Makes a relocatable cubin of the two that ptxas made of both layouts as extensible whole
/// programs. Returns `None` if the code depends on the places of constants in other ways than by
/// numbers that can be relocated.
pub fn relocatable_with_constants(
    cubins: [&[u8]; 2],
    apart: &ConstantsApart,
) -> Result<Option<Vec<u8>>, ExtensibleError> {
    for cubin in cubins {
        check(cubin, Some(CONSTANTS))?;
    }
    if !cubin_architecture(cubins[0]).is_some_and(|name| shows_constants(&name)) {
        return Ok(None);
    }
    let [first, second] = [RewrittenElf::read(cubins[0])?, RewrittenElf::read(cubins[1])?];
    Ok(merged(first, &second, apart))
}

fn merged(
    mut file: RewrittenElf,
    second: &RewrittenElf,
    apart: &ConstantsApart,
) -> Option<Vec<u8>> {
    let places = Places::of(&file)?;
    let other_places = Places::of(second)?;
    // The value of a variable may be the offset of a constant.
    let has_other_numbers = |section: &Section| {
        let others = second.named(&section.name);
        others.is_some_and(|other| has_values(section) && section.content != other.content)
    };
    if file.sections.iter().any(has_other_numbers) {
        return None;
    }
    // Relocations of values in constants would have to move with them.
    let is_of_constants = |section: &Section| {
        [SHT_REL, SHT_RELA].contains(&section.kind()) && section.about() == places.constants
    };
    if file.sections.iter().any(is_of_constants) {
        return None;
    }
    let layout = Layout::read([&file, second], [places, other_places], apart)?;
    let mut found = Vec::new();
    for (at, one) in file.sections.iter_mut().enumerate() {
        // A kernel without a second version names no constant.
        let Some(other) = second.named(&one.name) else { continue };
        if is_code(one) {
            found.push((at, take(&mut one.content, &other.content, &layout.groups)?));
        } else if is_of_kernel(one) {
            found.push((at, take_words(&mut one.content, &other.content, &layout.groups)?));
        }
    }
    // Offsets from the section are of the old layout.
    let mut named = named_by_relocations(&file);
    if named.contains(&layout.section) {
        return None;
    }
    named.extend(found.iter().flat_map(|(_, found)| found).map(|reference| reference.symbol));
    layout.apply(&mut file, places, &named)?;
    file.sections[places.constants].header.sh_addralign = U64::new(ENDIAN, apart.alignment);
    for (section, references) in found.iter().filter(|(_, references)| !references.is_empty()) {
        let section = relocations(&mut file, *section, places.symbols)?;
        let content = &mut file.sections[section].content;
        content.extend(references.iter().flat_map(relocation));
    }
    Some(file.write(ET_REL))
}

fn is_code(section: &Section) -> bool {
    section.header.sh_flags.get(ENDIAN).0 & SHF_EXECINSTR.0 != 0
}

/// Whether the section has values of variables.
fn has_values(section: &Section) -> bool {
    section.name.starts_with(b".nv.global")
}

/// Whether the section has constants of one kernel.
fn is_of_kernel(section: &Section) -> bool {
    section.name.strip_prefix(b".nv.constant").is_some_and(|rest| rest.contains(&b'.'))
}

/// Returns the numbers of the symbols that relocations name.
fn named_by_relocations(file: &RewrittenElf) -> BTreeSet<u32> {
    let named = file.sections.iter().flat_map(|section| {
        let size = match section.kind() {
            SHT_REL => size_of::<u64>() * 2,
            SHT_RELA => RELOCATION,
            _ => return Vec::new(),
        };
        let entries = section.content.chunks_exact(size);
        entries.filter_map(|entry| read_u32(entry, SYMBOL)).collect()
    });
    named.collect()
}

/// Returns the number of the section with relocations of the section `of`, which is added if there
/// is none.
fn relocations(file: &mut RewrittenElf, of: usize, symbols: usize) -> Option<usize> {
    let is_it = |section: &Section| section.kind() == SHT_RELA && section.about() == of;
    if let Some(found) = file.sections.iter().position(is_it) {
        return Some(found);
    }
    let name = [b".rela", file.sections[of].name.as_slice()].concat();
    let names = file.names();
    let mut header = file.sections[symbols].header;
    header.sh_name = U32::new(ENDIAN, u32::try_from(file.sections[names].content.len()).ok()?);
    header.sh_type = U32::new(ENDIAN, SHT_RELA);
    header.sh_flags = U64::new(ENDIAN, SHF_INFO_LINK);
    header.sh_link = U32::new(ENDIAN, u32::try_from(symbols).ok()?);
    header.sh_info = U32::new(ENDIAN, u32::try_from(of).ok()?);
    header.sh_addralign = U64::new(ENDIAN, 8);
    header.sh_entsize = U64::new(ENDIAN, RELOCATION as u64);
    let names = &mut file.sections[names].content;
    names.extend_from_slice(&name);
    names.push(0);
    file.sections.push(Section { name, header, content: Vec::new() });
    Some(file.sections.len() - 1)
}

fn relocation(reference: &Reference) -> Vec<u8> {
    let &Reference { place, kind, symbol, addend } = reference;
    let info = u64::from(symbol) << 32 | u64::from(kind);
    [place.to_le_bytes(), info.to_le_bytes(), addend.to_le_bytes()].concat()
}
