//! Reads and writes LLVM's bitstream format, as far as an index of ThinLTO needs it.
//!
//! A stream is a sequence of bits in blocks. A block has a width for the numbers that start its
//! entries, and its length in words of 32 bits. An entry is the block's end, another block, the
//! definition of an abbreviation, or a record, which is written with an abbreviation or without.
//! The format is that of "LLVM Bitcode File Format" in LLVM's documentation.

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

/// How a value of a record is written.
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
