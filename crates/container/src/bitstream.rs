//! Reads and writes the part of LLVM's bitstream format that a ThinLTO index needs.
//!
//! A stream is a sequence of bits in blocks. A block has a width for the numbers that start its
//! entries, and its length in words of 32 bits. An entry is the block's end, another block, the
//! definition of an abbreviation, or a record, which is written with an abbreviation or without.
//! The format is that of "LLVM Bitcode File Format" in LLVM's documentation.

/// First bytes of bitcode.
pub(crate) const MAGIC: &[u8] = b"BC\xc0\xde";
/// Number of bits that start an entry outside of all blocks.
pub(crate) const OUTER_WIDTH: u32 = 2;
/// Id of the block of a module or index.
pub(crate) const MODULE: u64 = 8;

/// Number that starts the end of a block.
pub(crate) const END_BLOCK: u64 = 0;
/// Number that starts another block.
pub(crate) const ENTER_BLOCK: u64 = 1;
/// Number that starts the definition of an abbreviation.
pub(crate) const DEFINE_ABBREVIATION: u64 = 2;
/// Number that starts a record without an abbreviation; larger ones name abbreviations.
pub(crate) const PLAIN_RECORD: u64 = 3;

/// Characters of the encoding with six bits for each.
const SIX_BITS: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

/// Encoding of a value of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Encoding {
    Literal(u64),
    Fixed(u32),
    Variable(u32),
    Array,
    SixBits,
    Blob,
}

/// A block: its contents are the bits from `start` to `end`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) id: u64,
    /// Number of bits of the number that starts an entry.
    pub(crate) width: u32,
    /// Position of the length in bytes.
    pub(crate) length_at: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// A position in a stream. The result of each method is `None` beyond the end of the data, or where
/// the data is no bitstream.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'data> {
    data: &'data [u8],
    /// Position in bits.
    pub(crate) position: usize,
}

impl<'data> Reader<'data> {
    /// Starts at the bit `position` of `data`.
    pub(crate) fn new(data: &'data [u8], position: usize) -> Self {
        Self { data, position }
    }

    /// Reads a number of `width` bits, at most 64.
    pub(crate) fn fixed(&mut self, width: u32) -> Option<u64> {
        let (mut value, mut read) = (0_u64, 0);
        while read < width {
            let byte = u64::from(*self.data.get(self.position / 8)?);
            let skipped = u32::try_from(self.position % 8).ok()?;
            let taken = (8 - skipped).min(width - read);
            let bits = (byte >> skipped) & ((1 << taken) - 1);
            value |= bits << read;
            read += taken;
            self.position += usize::try_from(taken).ok()?;
        }
        Some(value)
    }

    /// Reads a number in pieces of `width` bits, whose highest bit says that more follow.
    pub(crate) fn variable(&mut self, width: u32) -> Option<u64> {
        let (mut value, mut shift) = (0_u64, 0);
        loop {
            let piece = self.fixed(width)?;
            let more = 1_u64.checked_shl(width.checked_sub(1)?)?;
            value |= (piece & (more - 1)).checked_shl(shift)?;
            if piece & more == 0 {
                return Some(value);
            }
            shift += width - 1;
        }
    }

    fn align(&mut self) {
        self.position = self.position.next_multiple_of(32);
    }

    /// Reads what follows the number that starts a block, up to the block's contents.
    pub(crate) fn block(&mut self) -> Option<Block> {
        let id = self.variable(8)?;
        let width =
            u32::try_from(self.variable(4)?).ok().filter(|width| (2..=32).contains(width))?;
        self.align();
        let length_at = self.position / 8;
        let words = usize::try_from(self.fixed(32)?).ok()?;
        let start = self.position;
        let end = start.checked_add(words.checked_mul(32)?)?;
        (end <= self.data.len().checked_mul(8)?).then_some(Block {
            id,
            width,
            length_at,
            start,
            end,
        })
    }

    /// Reads the definition of an abbreviation.
    pub(crate) fn abbreviation(&mut self) -> Option<Vec<Encoding>> {
        let count = self.variable(5)?;
        (0..count).map(|_| self.encoding()).collect()
    }

    fn encoding(&mut self) -> Option<Encoding> {
        if self.fixed(1)? == 1 {
            return Some(Encoding::Literal(self.variable(8)?));
        }
        let width = |reader: &mut Self| {
            u32::try_from(reader.variable(5)?).ok().filter(|width| *width <= 64)
        };
        Some(match self.fixed(3)? {
            1 => Encoding::Fixed(width(self)?),
            2 => match width(self)? {
                0 => Encoding::Literal(0),
                width => Encoding::Variable(width),
            },
            3 => Encoding::Array,
            4 => Encoding::SixBits,
            5 => Encoding::Blob,
            _ => return None,
        })
    }

    /// Reads a record that starts with the number `start`. Its first value is its code.
    pub(crate) fn record(&mut self, start: u64, known: &[Vec<Encoding>]) -> Option<Vec<u64>> {
        if start == PLAIN_RECORD {
            let mut record = vec![self.variable(6)?];
            let count = self.variable(6)?;
            for _ in 0..count {
                record.push(self.variable(6)?);
            }
            return Some(record);
        }
        let number = usize::try_from(start.checked_sub(PLAIN_RECORD + 1)?).ok()?;
        let mut record = Vec::new();
        let mut encodings = known.get(number)?.iter();
        while let Some(encoding) = encodings.next() {
            match encoding {
                Encoding::Array => {
                    let element = *encodings.next()?;
                    let count = self.variable(6)?;
                    for _ in 0..count {
                        let before = self.position;
                        record.push(self.scalar(element)?);
                        // Elements without bits could be any number of them.
                        (self.position > before).then_some(())?;
                    }
                }
                Encoding::Blob => {
                    let length = usize::try_from(self.variable(6)?).ok()?;
                    self.align();
                    let bytes = crate::bytes::slice(self.data, self.position / 8, length)?;
                    record.extend(bytes.iter().map(|byte| u64::from(*byte)));
                    self.position += length * 8;
                    self.align();
                }
                scalar => record.push(self.scalar(*scalar)?),
            }
        }
        Some(record)
    }

    fn scalar(&mut self, encoding: Encoding) -> Option<u64> {
        match encoding {
            Encoding::Literal(value) => Some(value),
            Encoding::Fixed(width) => self.fixed(width),
            Encoding::Variable(width) => self.variable(width),
            Encoding::SixBits => {
                let number = usize::try_from(self.fixed(6)?).ok()?;
                SIX_BITS.get(number).map(|byte| u64::from(*byte))
            }
            Encoding::Array | Encoding::Blob => None,
        }
    }
}

/// Contents of a block that is being written, without abbreviations.
#[derive(Debug)]
pub(crate) struct Writer {
    width: u32,
    bytes: Vec<u8>,
    /// Bits of the last byte that is not full.
    rest: u64,
    used: u32,
}

impl Writer {
    /// Starts the contents of a block whose entries start with a number of `width` bits.
    pub(crate) fn new(width: u32) -> Self {
        Self { width, bytes: Vec::new(), rest: 0, used: 0 }
    }

    fn fixed(&mut self, value: u64, width: u32) {
        for bit in 0..width {
            self.rest |= (value >> bit & 1) << self.used;
            self.used += 1;
            if self.used == 8 {
                self.bytes.push(u8::try_from(self.rest).unwrap_or_default());
                (self.rest, self.used) = (0, 0);
            }
        }
    }

    fn variable(&mut self, mut value: u64) {
        while value >= 32 {
            self.fixed(value & 31 | 32, 6);
            value >>= 5;
        }
        self.fixed(value, 6);
    }

    /// Adds a record, whose first value is its code.
    pub(crate) fn record(&mut self, record: &[u64]) {
        let Some((code, values)) = record.split_first() else { return };
        self.fixed(PLAIN_RECORD, self.width);
        self.variable(*code);
        self.variable(values.len() as u64);
        for value in values {
            self.variable(*value);
        }
    }

    /// Adds the block's end and returns the contents, which are whole words.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.fixed(END_BLOCK, self.width);
        while self.used > 0 || !self.bytes.len().is_multiple_of(4) {
            self.fixed(0, 1);
        }
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the bytes of a stream whose numbers are `numbers`, each with its width.
    fn stream(numbers: &[(u64, u32)]) -> Vec<u8> {
        let mut writer = Writer::new(2);
        for (value, width) in numbers {
            writer.fixed(*value, *width);
        }
        writer.finish()
    }

    #[test]
    fn numbers_of_any_width_cross_bytes() {
        let numbers = [(5, 3), (0x1_2345_6789, 33), (1, 1), (u64::MAX, 64), (0, 7), (77, 8)];
        let data = stream(&numbers);
        assert_eq!(data[..2], [0b0100_1101, 0b0011_1100]);
        let mut reader = Reader::new(&data, 0);
        for (value, width) in numbers {
            assert_eq!(reader.fixed(width), Some(value));
        }
        assert_eq!(reader.position, 116);
        assert_eq!(Reader::new(&data, data.len() * 8 - 8).fixed(8), Some(0));
        assert_eq!(Reader::new(&data, data.len() * 8 - 8).fixed(9), None);
    }

    #[test]
    fn a_number_in_pieces_ends_at_the_first_piece_that_says_so() {
        let data = stream(&[(0b10_0001, 6), (0b10_0010, 6), (0b00_0011, 6), (0b01_1111, 6)]);
        let mut reader = Reader::new(&data, 0);
        assert_eq!(reader.variable(6), Some(1 | 2 << 5 | 3 << 10));
        assert_eq!(reader.variable(6), Some(31));
        let endless = [0xFF; 20];
        assert_eq!(Reader::new(&endless, 0).variable(6), None);
        assert_eq!(Reader::new(&endless, 0).variable(0), None);
    }

    #[test]
    fn a_block_is_within_the_data() {
        // The number of the block is 9, its width is 4, and its length is one word.
        let head = [(9, 8), (4, 4)];
        let block = |words: u64, rest: &[(u64, u32)]| {
            let data = stream(&[&head[..], &[(0, 20), (words, 32)], rest].concat());
            Reader::new(&data, 0).block().map(|block| (block, data.len()))
        };
        let (block_of_one, size) = block(1, &[]).unwrap();
        assert_eq!((block_of_one.id, block_of_one.width, block_of_one.length_at), (9, 4, 4));
        assert_eq!((block_of_one.start, block_of_one.end, size), (64, 96, 12));
        assert!(block(2, &[]).is_none());
        assert!(block(2, &[(0, 32)]).is_some());
        let width = |width: &[(u64, u32)]| {
            let start = [&[(9, 8)], width].concat();
            let used: u32 = start.iter().map(|(_, width)| width).sum();
            let data = stream(&[&start[..], &[(0, 32 - used), (0, 32)]].concat());
            Reader::new(&data, 0).block().map(|block| block.width)
        };
        assert_eq!(width(&[(1, 4)]), None);
        assert_eq!(width(&[(2, 4)]), Some(2));
        assert_eq!(width(&[(8, 4), (4, 4)]), Some(32));
        assert_eq!(width(&[(9, 4), (4, 4)]), None);
    }

    #[test]
    fn records_are_read_with_each_encoding() {
        // Definitions: a literal 200, a fixed number of 3 bits, one in pieces of 4, no bits at all,
        // an array of letters; and an array of bytes.
        let data = stream(&[
            (6, 5),
            (1, 1),
            (0b1100_1000, 8),
            (1, 8),
            (0, 1),
            (1, 3),
            (3, 5),
            (0, 1),
            (2, 3),
            (4, 5),
            (0, 1),
            (2, 3),
            (0, 5),
            (0, 1),
            (3, 3),
            (0, 1),
            (4, 3),
            (2, 5),
            (0, 1),
            (1, 3),
            (7, 5),
            (0, 1),
            (5, 3),
            (1, 5),
            (0, 1),
            (6, 3),
        ]);
        let mut reader = Reader::new(&data, 0);
        let known = [reader.abbreviation().unwrap(), reader.abbreviation().unwrap()];
        assert_eq!((known[0].len(), known[1].len()), (6, 2));
        assert!(reader.abbreviation().is_none(), "there is no encoding 6");

        let data = stream(&[
            (5, 3),
            (0b1001, 4),
            (1, 4),
            (3, 6),
            (0, 6),
            (26, 6),
            (63, 6),
            (90, 7),
            (5, 6),
            (0, 16),
            (0xAA, 8),
            (0xBB, 8),
            (0xCC, 8),
            (0xDD, 8),
            (0xEE, 8),
            (0, 24),
            (9, 6),
        ]);
        let mut reader = Reader::new(&data, 0);
        let letters = [b'a', b'A', b'_'].map(u64::from);
        let first = reader.record(4, &known).unwrap();
        assert_eq!(first, [&[200, 5, 9, 0], &letters[..]].concat());
        assert_eq!(reader.position, 35);
        assert_eq!(reader.record(5, &known), Some(vec![90, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE]));
        assert_eq!((reader.position, reader.fixed(6)), (128, Some(9)));
        assert_eq!(reader.record(6, &known), None);
        assert_eq!(reader.record(2, &known), None);
        let endless = [Encoding::Array, Encoding::Literal(0)];
        assert_eq!(Reader::new(&data, 0).record(4, &[endless.to_vec()]), None);
    }

    #[test]
    fn a_written_record_reads_the_same() {
        let mut writer = Writer::new(3);
        let record = [1, 0, 31, 32, 1023, u64::MAX];
        writer.record(&record);
        writer.record(&[]);
        let data = writer.finish();
        let mut reader = Reader::new(&data, 0);
        assert_eq!(reader.fixed(3), Some(PLAIN_RECORD));
        assert_eq!(reader.record(PLAIN_RECORD, &[]).unwrap(), record);
        assert_eq!(reader.fixed(3), Some(END_BLOCK));
        assert_eq!(data.len() % 4, 0);
        assert_eq!(Writer::new(2).finish(), [0; 4]);
    }
}
