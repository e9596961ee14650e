//! Reads and replaces the names of modules in a ThinLTO index.
//!
//! A module's index says what the module imports, and from which files. lld's distributed ThinLTO
//! names members of archives after files that it writes for its own process, with the process's
//! number. So each run of the same link produces a different index, unless its modules are renamed.
//!
//! The names are in a separate block, the table of modules; everything else in the index refers to
//! it by number. Only the table is rewritten. All other bits are kept, so an index may hold records
//! that this reader does not know.

use thiserror::Error;

use crate::bitstream::{
    Block, DEFINE_ABBREVIATION, END_BLOCK, ENTER_BLOCK, Encoding, MAGIC, MODULE, OUTER_WIDTH,
    Reader, Writer,
};
use crate::bytes::read_u32;

/// Id of the block with definitions of abbreviations for other blocks.
const BLOCK_INFO: u64 = 0;
/// Id of the table of modules.
const MODULE_TABLE: u64 = 19;
/// Code of a record with a module's number and its name, a character in each further value.
const ENTRY: u64 = 1;

/// The error of a file that is no index of ThinLTO.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ThinIndexError {
    /// The file does not begin as bitcode does.
    #[error("it is no bitcode")]
    NotBitcode,
    /// The file has no table of modules, or one that cannot be read.
    #[error("it is no index of ThinLTO with a readable table of modules")]
    Unreadable,
}

/// An index with the names of its modules.
#[derive(Clone, Debug)]
pub struct ThinIndex<'data> {
    data: &'data [u8],
    /// Position of the length of the block around the table.
    outer_length_at: usize,
    table: Block,
    /// Records of the table, each with the name that it holds.
    records: Vec<(Vec<u64>, Option<String>)>,
}

impl<'data> ThinIndex<'data> {
    /// Reads the table of modules.
    pub fn read(data: &'data [u8]) -> Result<Self, ThinIndexError> {
        if !data.starts_with(MAGIC) {
            return Err(ThinIndexError::NotBitcode);
        }
        let (outer_length_at, table) = find_table(data).ok_or(ThinIndexError::Unreadable)?;
        let records = records(data, &table).ok_or(ThinIndexError::Unreadable)?;
        Ok(Self { data, outer_length_at, table, records })
    }

    /// Returns the names of the modules.
    pub fn modules(&self) -> impl Iterator<Item = &str> {
        self.records.iter().filter_map(|(_, name)| name.as_deref())
    }

    /// Returns the index with the name that `rename` returns for each.
    pub fn renamed(&self, rename: impl Fn(&str) -> String) -> Vec<u8> {
        let mut writer = Writer::new(self.table.width);
        for (record, name) in &self.records {
            let Some(name) = name else {
                writer.record(record);
                continue;
            };
            let name = rename(name);
            let characters = name.bytes().map(u64::from);
            writer.record(&record[..2].iter().copied().chain(characters).collect::<Vec<_>>());
        }
        let contents = writer.finish();
        let mut index = self.data[..self.table.start / 8].to_vec();
        index.extend(&contents);
        index.extend(&self.data[self.table.end / 8..]);
        let words = |bytes: usize| u32::try_from(bytes / 4).unwrap_or(u32::MAX);
        let outer = read_u32(self.data, self.outer_length_at).unwrap_or_default();
        let before = words((self.table.end - self.table.start) / 8);
        let lengths = [
            (self.table.length_at, words(contents.len())),
            (self.outer_length_at, outer.wrapping_sub(before).wrapping_add(words(contents.len()))),
        ];
        for (at, length) in lengths {
            index[at..at + 4].copy_from_slice(&length.to_le_bytes());
        }
        index
    }
}

/// Finds the table in the first module of a file, and the position of the module's length.
fn find_table(data: &[u8]) -> Option<(usize, Block)> {
    let mut reader = Reader::new(data, MAGIC.len() * 8);
    let module = loop {
        if reader.fixed(OUTER_WIDTH)? != ENTER_BLOCK {
            return None;
        }
        let block = reader.block()?;
        if block.id == MODULE {
            break block;
        }
        reader.position = block.end;
    };
    let mut known = Vec::new();
    while reader.position < module.end {
        match reader.fixed(module.width)? {
            ENTER_BLOCK => {
                let block = reader.block().filter(|block| block.end <= module.end)?;
                match block.id {
                    MODULE_TABLE => return Some((module.length_at, block)),
                    // It could define abbreviations of the table, and LLVM writes none here.
                    BLOCK_INFO => return None,
                    _ => reader.position = block.end,
                }
            }
            DEFINE_ABBREVIATION => known.push(reader.abbreviation()?),
            END_BLOCK => return None,
            record => drop(reader.record(record, &known)?),
        }
    }
    None
}

/// Reads the records of the table.
fn records(data: &[u8], table: &Block) -> Option<Vec<(Vec<u64>, Option<String>)>> {
    let mut reader = Reader::new(&data[..table.end / 8], table.start);
    let mut known: Vec<Vec<Encoding>> = Vec::new();
    let mut records = Vec::new();
    loop {
        match reader.fixed(table.width)? {
            END_BLOCK => return Some(records),
            ENTER_BLOCK => return None,
            DEFINE_ABBREVIATION => known.push(reader.abbreviation()?),
            start => {
                let record = reader.record(start, &known)?;
                let name = if record.first() == Some(&ENTRY) {
                    let characters = record.get(2..)?.iter().map(|value| u8::try_from(*value));
                    let bytes: Vec<u8> = characters.collect::<Result<_, _>>().ok()?;
                    Some(String::from_utf8(bytes).ok()?)
                } else {
                    None
                };
                records.push((record, name));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An index of LLVM 22.1: `c.o` imports from two members of an archive, both called `m.o`.
    const INDEX: &str = "\
        4243c0de210c0000470000000b022113030000002400000022030899209101844c8ec80042863205\
        040a8142a01028040a030c82efbc04fdd2d8aefb3a3ee7f93c48bf997a76b36b83a3011a3b2d7685\
        516dd71b14a68362305bca4573cd8841a3eb7dd45fcf7ca95b85d8ce067ec2ad63e451ca103e9f0a\
        6cecb4d81546b55d6f50980e92e162b094abe69a118346d7fb652ac786bbc48ef9c191aad7c761c3\
        b3cf7f1940000000a12000001d000000a304cc504138064242901128040a0ad0a28ac0a4719da648\
        3870b43bfd65cb7ca501b03af4dffdc7045ad8024284c81022428808112246484c034284c8182129\
        1108112243484c0e42448818212943881031421500000e050000008400c200420904808340630000\
        00500302e020d01800000000000000005d0c0000020000001203940000000000";

    fn index() -> Vec<u8> {
        let digit = |at: usize| u8::from_str_radix(&INDEX[at..at + 2], 16).unwrap();
        (0..INDEX.len()).step_by(2).map(digit).collect()
    }

    fn names(index: &[u8]) -> Vec<String> {
        ThinIndex::read(index).unwrap().modules().map(str::to_owned).collect()
    }

    #[test]
    fn modules_get_other_names_and_nothing_else_changes() {
        let data = index();
        let index = ThinIndex::read(&data).unwrap();
        let old: Vec<_> = index.modules().collect();
        assert_eq!(old, ["c.o", "lib.a(m.o at 106).4.3DAF.o", "lib.a(m.o at 2810).5.3DAF.o"]);
        let long = "a long name/".repeat(20);
        let renamed = index.renamed(|name| if name == "c.o" { &long } else { "\u{e9}" }.to_owned());
        assert_eq!(names(&renamed), [&long, "\u{e9}", "\u{e9}"]);
        // The same new names give the same bytes, regardless of the old names.
        let back = |from: &ThinIndex<'_>| from.renamed(|_| "x".to_owned());
        assert_eq!(back(&ThinIndex::read(&renamed).unwrap()), back(&index));
        assert_eq!(renamed.len() % 4, 0);
        let rest = &data[index.table.end / 8..];
        assert!(rest.len() > 100 && renamed.ends_with(rest));
    }

    #[test]
    fn definitions_for_other_blocks_are_refused() {
        let head = |width: u32, id: u32| 1 | id << width | 3 << (width + 8);
        for (id, is_readable) in [(0, false), (5, true)] {
            // A module with an empty block and an empty table, whose end is a word of zeros.
            let words = [head(2, 8), 6, head(3, id), 0, head(3, 19), 1, 0, 0];
            let data = [MAGIC, &words.map(u32::to_le_bytes).concat()].concat();
            let index = ThinIndex::read(&data);
            assert_eq!(index.map(|index| index.modules().count()).ok(), is_readable.then_some(0));
        }
    }

    #[test]
    fn damaged_indices_are_refused_or_read_without_a_panic() {
        assert_eq!(ThinIndex::read(b"{}").unwrap_err(), ThinIndexError::NotBitcode);
        let unreadable = ThinIndex::read(MAGIC).unwrap_err();
        assert_eq!(unreadable, ThinIndexError::Unreadable);
        assert_eq!(
            unreadable.to_string(),
            "it is no index of ThinLTO with a readable table of modules"
        );
        let data = index();
        let end = ThinIndex::read(&data).unwrap().table.end / 8;
        for length in 0..end {
            assert!(ThinIndex::read(&data[..length]).is_err(), "{length} bytes");
        }
        for position in 0..end {
            for bit in 0..8 {
                let mut damaged = data.clone();
                damaged[position] ^= 1 << bit;
                if let Ok(index) = ThinIndex::read(&damaged) {
                    let renamed = index.renamed(|_| "x".to_owned());
                    assert!(ThinIndex::read(&renamed).is_ok(), "byte {position}, bit {bit}");
                }
            }
        }
    }
}
