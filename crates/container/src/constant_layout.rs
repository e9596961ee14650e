//! The places of a module's constants in two cubins of the module.

use std::collections::{BTreeMap, BTreeSet};

use object::elf::{SHT_SYMTAB, STB_GLOBAL, STT_SECTION};

use crate::bytes::{read_u16, read_u32, read_u64};
use crate::constant_references::Group;
use crate::cubin::CUDA_OBJECT;
use crate::ptx::ConstantsApart;
use crate::rewritten_elf::{ENDIAN, RewrittenElf};

/// Bytes of an entry of the symbol table.
const ENTRY: usize = 24;
/// Offsets in an entry: of the type and binding, of the value, and of the size.
const INFO: usize = 4;
const VALUE: usize = 8;
const SIZE: usize = 16;
/// The other byte of the symbol of a constant in another module.
const ELSEWHERE: u8 = 0x80;

/// Section of the constants that a module declares.
pub(crate) const CONSTANTS: &str = ".nv.constant3";

/// Numbers of two sections: of the constants, and of the symbol table.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    pub(crate) constants: usize,
    pub(crate) symbols: usize,
}

impl Places {
    /// Finds the sections.
    pub(crate) fn of(file: &RewrittenElf) -> Option<Self> {
        Some(Self {
            constants: file.find(CONSTANTS.as_bytes())?,
            symbols: file.sections.iter().position(|section| section.kind() == SHT_SYMTAB)?,
        })
    }
}

/// The places of constants in two cubins.
pub(crate) struct Layout {
    /// All constants but the front, each group with its symbol.
    pub(crate) groups: Vec<Group>,
    /// Number of the symbol of the section, by which own constants are named.
    pub(crate) section: u32,
    /// Number of the symbol of the front.
    front: usize,
    /// Numbers of the symbols of variables that other modules define, with their sizes.
    externals: Vec<(usize, u64)>,
    /// Numbers of the symbols of own variables, with their new places.
    own: Vec<(usize, u64)>,
    /// The new content of the section: all own constants.
    content: Vec<u8>,
}

/// A symbol in the section of constants.
struct Constant<'data> {
    number: usize,
    name: &'data [u8],
    is_section: bool,
    /// Offset in the first cubin.
    start: u64,
    /// Bytes by which the offset is larger in the second cubin.
    distance: u64,
    size: u64,
}

impl Layout {
    /// Reads the layout; `None` if two groups of constants moved equally far.
    pub(crate) fn read(
        files: [&RewrittenElf; 2],
        places: [Places; 2],
        apart: &ConstantsApart,
    ) -> Option<Self> {
        let mut constants = constants(files, places)?;
        constants.sort_by_key(|constant| (constant.start, constant.number));
        let section = constants.iter().find(|constant| constant.is_section)?.number;
        let section = u32::try_from(section).ok()?;
        let is_front = |constant: &&Constant<'_>| constant.name == apart.front.as_bytes();
        let front = constants.iter().find(is_front)?;
        let front = Some(front.number).filter(|_| front.start == 0 && front.distance == 0)?;
        constants.retain(|constant| !constant.is_section && constant.number != front);

        let content = |file: usize| &files[file].sections[places[file].constants].content[..];
        let contents = [content(0), content(1)];
        let (mut groups, mut externals, mut own): (Vec<Group>, _, _) = (vec![], vec![], vec![]);
        let mut content = Vec::new();
        let mut left = constants.as_slice();
        while let Some(first) = left.first() {
            let &Constant { number, start, distance, .. } = first;
            if let Some(size) = external(first, apart) {
                let symbol = u32::try_from(number).ok()?;
                groups.push(Group { symbol, addend: 0, start, distance, size });
                externals.push((number, size));
                left = &left[1..];
                continue;
            }
            // Own variables side by side that moved together stay together.
            let moved = |constant: &Constant<'_>| {
                external(constant, apart).is_none() && constant.distance == distance
            };
            let count = left.iter().take_while(|constant| moved(constant)).count();
            let (together, rest) = left.split_at(count);
            let end = rest.first().map_or(contents[0].len() as u64, |next| next.start);
            let ends = together.iter().map(|one| one.start.saturating_add(one.size));
            let used = ends.max()?;
            let bytes = slice(contents[0], start, end.max(used))?;
            let moved = slice(contents[1], start + distance, end.max(used) + distance)?;
            // Bytes after the last variable may belong to ptxas, or be unused.
            let used = usize::try_from(used - start).ok()?;
            let end = bytes.iter().rposition(|byte| *byte != 0).map_or(used, |last| last + 1);
            let bytes = &bytes[..end.max(used)];
            if !moved.starts_with(bytes) {
                return None;
            }
            // The new offset must suit the same loads as the old one.
            let old = start % apart.alignment;
            if (start + distance) % apart.alignment != old {
                return None;
            }
            let aligned = (content.len() as u64).next_multiple_of(apart.alignment) + old;
            content.resize(usize::try_from(aligned).ok()?, 0);
            content.extend_from_slice(bytes);
            let size = bytes.len() as u64;
            groups.push(Group { symbol: section, addend: aligned, start, distance, size });
            own.extend(together.iter().map(|one| (one.number, aligned + one.start - start)));
            left = rest;
        }
        let mut distances: Vec<u64> = groups.iter().map(|group| group.distance).collect();
        distances.sort_unstable();
        distances.dedup();
        let is_clear = distances.len() == groups.len() && !distances.contains(&0);
        is_clear.then_some(Self { groups, section, front, externals, own, content })
    }

    /// Leaves the module's own constants alone in the section, and declares those of others that
    /// are among the `named` symbols: nvlink wants a definition of each that is declared.
    pub(crate) fn apply(
        self,
        file: &mut RewrittenElf,
        places: Places,
        named: &BTreeSet<u32>,
    ) -> Option<()> {
        file.sections[places.constants].content = self.content;
        let table = &mut file.sections[places.symbols].content;
        *entry(table, self.front)? = [0; ENTRY];
        for (number, size) in self.externals {
            let entry = entry(table, number)?;
            if !named.contains(&u32::try_from(number).ok()?) {
                *entry = [0; ENTRY];
                continue;
            }
            // No section, and no value.
            entry[INFO..].fill(0);
            entry[INFO] = STB_GLOBAL.0 << 4 | CUDA_OBJECT.0;
            entry[INFO + 1] = ELSEWHERE;
            entry[SIZE..].copy_from_slice(&size.to_le_bytes());
        }
        for (number, place) in self.own {
            entry(table, number)?[VALUE..SIZE].copy_from_slice(&place.to_le_bytes());
        }
        Some(())
    }
}

/// Returns the size of the variable if another module defines it.
fn external(constant: &Constant<'_>, apart: &ConstantsApart) -> Option<u64> {
    let mut externals = apart.externals.iter();
    let found = externals.find(|(name, _)| name.as_bytes() == constant.name);
    found.map(|(_, size)| *size)
}

fn slice(content: &[u8], start: u64, end: u64) -> Option<&[u8]> {
    content.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
}

/// Returns an entry of a symbol table.
fn entry(table: &mut [u8], number: usize) -> Option<&mut [u8; ENTRY]> {
    table.get_mut(number * ENTRY..)?.first_chunk_mut()
}

/// Returns the symbols in the section of constants.
fn constants(files: [&RewrittenElf; 2], places: [Places; 2]) -> Option<Vec<Constant<'_>>> {
    let [first, second] = [symbols(files[0], places[0])?, symbols(files[1], places[1])?];
    let other_places: BTreeMap<_, _> =
        second.into_iter().map(|(_, name, entry)| (name, read_u64(entry, VALUE))).collect();
    let constant = |(number, name, entry): (usize, _, &[u8])| {
        let start = read_u64(entry, VALUE)?;
        Some(Constant {
            number,
            name,
            is_section: entry[INFO] & 0xF == STT_SECTION.0,
            start,
            distance: (*other_places.get(name)?)?.checked_sub(start)?,
            size: read_u64(entry, SIZE)?,
        })
    };
    first.into_iter().map(constant).collect()
}

/// Number, name and entry of a symbol.
type Entry<'file> = (usize, &'file [u8], &'file [u8]);

/// Returns the symbols of a file in its section of constants.
fn symbols(file: &RewrittenElf, places: Places) -> Option<Vec<Entry<'_>>> {
    let table = &file.sections[places.symbols];
    let names = &file.sections.get(table.header.sh_link.get(ENDIAN) as usize)?.content;
    let entries = table.content.chunks_exact(ENTRY).enumerate().filter(|(_, entry)| {
        read_u16(entry, INFO + 2).is_some_and(|section| usize::from(section) == places.constants)
    });
    let with_name = |(number, entry): (usize, _)| {
        let start = names.get(read_u32(entry, 0)? as usize..)?;
        let end = start.iter().position(|byte| *byte == 0)?;
        Some((number, &start[..end], entry))
    };
    entries.map(with_name).collect()
}
