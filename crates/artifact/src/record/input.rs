//! A record that is read piece by piece.

use wincode::SchemaRead;
use wincode::io::Reader as _;

use crate::encoding::Format;
use crate::record::error::RecordError;

/// Largest number that is written as one byte. Larger bytes state how many bytes follow.
const LARGEST_BYTE: u8 = 250;

/// The unread rest of a record.
pub(crate) struct Input<'record> {
    rest: &'record [u8],
}

impl<'record> Input<'record> {
    pub(crate) fn new(record: &'record [u8]) -> Self {
        Self { rest: record }
    }

    /// Reads the next value.
    #[inline]
    pub(crate) fn get<T: SchemaRead<'record, Format, Dst = T>>(
        &mut self,
    ) -> Result<T, RecordError> {
        T::get(self.rest.by_ref()).map_err(|error| error.to_string())
    }

    /// Reads the next byte.
    #[inline]
    pub(crate) fn byte(&mut self) -> Result<u8, RecordError> {
        match self.rest {
            [byte, rest @ ..] => {
                self.rest = rest;
                Ok(*byte)
            }
            [] => self.long(),
        }
    }

    /// Reads the next `N` numbers if each is a byte, as nearly all are. Reading them together takes
    /// a fraction of the time.
    #[inline]
    pub(crate) fn small<const N: usize>(&mut self) -> Option<&'record [u8; N]> {
        let (numbers, rest) = self.rest.split_first_chunk()?;
        let largest = numbers.iter().fold(0, |largest, &number| number.max(largest));
        (largest <= LARGEST_BYTE).then(|| {
            self.rest = rest;
            numbers
        })
    }

    /// Reads a value of several bytes. It is kept out of the fast path for single bytes.
    #[cold]
    #[inline(never)]
    fn long<T: SchemaRead<'record, Format, Dst = T>>(&mut self) -> Result<T, RecordError> {
        self.get()
    }

    /// Reads the next optional value. Nearly all are missing.
    #[inline]
    pub(crate) fn optional<T>(&mut self) -> Result<Option<T>, RecordError>
    where
        T: SchemaRead<'record, Format, Dst = T>,
    {
        match self.rest {
            [0, rest @ ..] => {
                self.rest = rest;
                Ok(None)
            }
            _ => self.long(),
        }
    }

    /// Reads the next number of 32 or 64 bits. Nearly all take one byte.
    #[inline]
    pub(crate) fn number<T>(&mut self) -> Result<T, RecordError>
    where
        T: From<u8> + SchemaRead<'record, Format, Dst = T>,
    {
        match self.rest {
            [small @ ..=LARGEST_BYTE, rest @ ..] => {
                self.rest = rest;
                Ok(T::from(*small))
            }
            _ => self.long(),
        }
    }

    /// Reads the length of the list that follows. The record may have fewer items.
    #[inline]
    pub(crate) fn length(&mut self) -> Result<u64, RecordError> {
        self.number()
    }

    /// Reads the next text.
    #[inline]
    pub(crate) fn text(&mut self) -> Result<&'record str, RecordError> {
        let length = usize::try_from(self.length()?).unwrap_or(usize::MAX);
        let (text, rest) =
            self.rest.split_at_checked(length).ok_or("a text ends after the record")?;
        self.rest = rest;
        str::from_utf8(text).map_err(|error| error.to_string())
    }

    /// Checks that the record ends here.
    pub(crate) fn end(self) -> Result<(), RecordError> {
        match self.rest.len() {
            0 => Ok(()),
            more => Err(format!("{more} bytes follow the record")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_together_only_if_each_is_a_byte() -> Result<(), RecordError> {
        let mut input = Input::new(&[0, 250, 7, 251, 4, 1, 9]);
        assert_eq!(input.small(), Some(&[0, 250]));
        assert_eq!(input.small::<2>(), None, "the second takes three bytes");
        assert_eq!(input.number::<u32>()?, 7);
        assert_eq!(input.number::<u32>()?, 260);
        assert_eq!(input.small::<2>(), None, "there is one");
        assert_eq!(input.small(), Some(&[9]));
        input.end()
    }

    #[test]
    fn a_record_has_an_end() {
        let error = Input::new(&[7, 0, 9]).end();
        assert_eq!(error, Err("3 bytes follow the record".to_owned()));
    }
}
