//! The places of a module's constants in two cubins of the module.

use object::elf::{STB_GLOBAL, STT_SECTION};

use crate::bytes::{read_u16, read_u32, read_u64};
use crate::constant_references::Group;
use crate::cubin::CUDA_OBJECT;
use crate::ptx::ConstantsApart;
use crate::rewritten_elf::{ENDIAN, RewrittenElf};

/// Bytes of an entry of the symbol table.
const ENTRY: usize = 24;
/// Offsets in an entry: of the type and binding, and of the value.
const INFO: usize = 4;
const VALUE: usize = 8;
/// What the other byte of the symbol of a constant in another module holds.
const ELSEWHERE: u8 = 0x80;

/// Numbers of two sections: of the constants, and of the symbol table.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    pub(crate) constants: usize,
    pub(crate) symbols: usize,
}

/// The places of constants in two cubins.
pub(crate) struct Layout {
    /// All constants but the front, each group with its symbol.
    pub(crate) groups: Vec<Group>,
    /// Number of the symbol of the front.
    front: usize,
    /// Numbers of the symbols of variables that other modules define, with their sizes.
    externals: Vec<(usize, u64)>,
    /// Numbers of the symbols of own variables.
    own: Vec<usize>,
    /// Offset in the first cubin from which on all is the module's own.
    start: u64,
}

/// A symbol in the section of constants.
struct Constant<'data> {
    number: usize,
    name: &'data [u8],
    is_section: bool,
    /// Offsets in both cubins.
    places: [u64; 2],
}

impl Layout {
    /// Reads the layout; `None` if own constants do not come last, with equal distances, or if two
    /// groups of constants moved equally far.
    pub(crate) fn read(
        files: [&RewrittenElf; 2],
        places: Places,
        apart: &ConstantsApart,
    ) -> Option<Self> {
        let (mut front, mut section) = (None, None);
        let (mut groups, mut externals, mut own) = (Vec::new(), Vec::new(), Vec::new());
        for constant in constants(files, places)? {
            let Constant { number, name, is_section, places: [start, other] } = constant;
            let is_external = |(external, _): &&(String, u64)| external.as_bytes() == name;
            if is_section {
                section = Some(u32::try_from(number).ok()?);
            } else if name == apart.front.as_bytes() {
                front = Some(number).filter(|_| start == 0 && other == 0);
            } else if let Some(&(_, size)) = apart.externals.iter().find(is_external) {
                let distance = other.checked_sub(start)?;
                groups.push(Group { symbol: u32::try_from(number).ok()?, start, distance, size });
                externals.push((number, size));
            } else {
                own.push((number, [start, other]));
            }
        }
        let contents = files.map(|file| file.sections[places.constants].content.as_slice());
        let start_of = |file: usize| {
            let first = own.iter().map(|(_, places)| places[file]).min();
            first.unwrap_or(contents[file].len() as u64)
        };
        let starts = [start_of(0), start_of(1)];
        let [start, other] = starts;
        let distance = other.checked_sub(start)?;
        let moved_alike = |(_, [place, other]): &(usize, [u64; 2])| *other == place + distance;
        let is_before = |group: &Group| group.start + group.size <= start;
        let is_aligned = own.is_empty() || starts.iter().all(|start| start % apart.alignment == 0);
        let of_own = |file: usize| contents[file].get(usize::try_from(starts[file]).ok()?..);
        let (content, other_content) = (of_own(0)?, of_own(1)?);
        if !own.iter().all(moved_alike)
            || !groups.iter().all(is_before)
            || !is_aligned
            || content != other_content
        {
            return None;
        }
        groups.push(Group { symbol: section?, start, distance, size: content.len() as u64 });
        let mut distances: Vec<u64> = groups.iter().map(|group| group.distance).collect();
        distances.sort_unstable();
        distances.dedup();
        let is_clear = distances.len() == groups.len() && !distances.contains(&0);
        let own = own.into_iter().map(|(number, _)| number).collect();
        is_clear.then_some(Self { groups, front: front?, externals, own, start })
    }

    /// Leaves the module's own constants alone in the section, and declares those of others.
    pub(crate) fn apply(&self, file: &mut RewrittenElf, places: Places) -> Option<()> {
        let constants = &mut file.sections[places.constants].content;
        constants.drain(..usize::try_from(self.start).ok()?);
        let table = &mut file.sections[places.symbols].content;
        *entry(table, self.front)? = [0; ENTRY];
        for &(number, size) in &self.externals {
            let entry = entry(table, number)?;
            let info = STB_GLOBAL.0 << 4 | CUDA_OBJECT.0;
            // No section, and no value.
            let mut rest = [0; ENTRY - INFO];
            (rest[0], rest[1]) = (info, ELSEWHERE);
            rest[ENTRY - INFO - size_of::<u64>()..].copy_from_slice(&size.to_le_bytes());
            entry[INFO..].copy_from_slice(&rest);
        }
        for &number in &self.own {
            let value = &mut entry(table, number)?[VALUE..VALUE + size_of::<u64>()];
            let place = u64::from_le_bytes((&*value).try_into().ok()?);
            value.copy_from_slice(&place.checked_sub(self.start)?.to_le_bytes());
        }
        Some(())
    }
}

/// Returns an entry of a symbol table.
fn entry(table: &mut [u8], number: usize) -> Option<&mut [u8; ENTRY]> {
    table.get_mut(number * ENTRY..)?.first_chunk_mut()
}

/// Returns the symbols in the section of constants; `None` if any other symbol differs.
fn constants(files: [&RewrittenElf; 2], places: Places) -> Option<Vec<Constant<'_>>> {
    let [first, second] = files.map(|file| &file.sections[places.symbols]);
    let names = first.header.sh_link.get(ENDIAN) as usize;
    let names = &files[0].sections.get(names)?.content;
    if first.content.len() != second.content.len() {
        return None;
    }
    let entries = first.content.chunks_exact(ENTRY).zip(second.content.chunks_exact(ENTRY));
    let mut constants = Vec::new();
    for (number, (entry, other)) in entries.enumerate() {
        let section = read_u16(entry, INFO + 2)?;
        if usize::from(section) != places.constants {
            if entry != other {
                return None;
            }
            continue;
        }
        let start = names.get(read_u32(entry, 0)? as usize..)?;
        let end = start.iter().position(|byte| *byte == 0)?;
        constants.push(Constant {
            number,
            name: &start[..end],
            is_section: entry[INFO] & 0xF == STT_SECTION.0,
            places: [read_u64(entry, VALUE)?, read_u64(other, VALUE)?],
        });
    }
    Some(constants)
}
