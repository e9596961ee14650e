//! PTX as words and symbols, without comments and strings.

use super::error::PtxError;

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'text> {
    /// A directive with its dot, a name or a number.
    Word(&'text [u8]),
    /// One other character.
    Symbol(u8),
}

/// The tokens of a text.
pub(super) struct Tokens<'text> {
    text: &'text [u8],
    offset: usize,
}

impl<'text> Tokens<'text> {
    /// Creates the iterator. Zeros at the end are padding of containers, and no part of the text.
    pub(super) fn new(text: &'text [u8]) -> Self {
        let end = text.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        Self { text: &text[..end], offset: 0 }
    }

    /// Returns the offset at which the next token may start.
    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    fn rest(&self) -> &'text [u8] {
        self.text.get(self.offset..).unwrap_or_default()
    }

    /// Skips a comment or string, of which `opening` bytes begin it and `end` ends it.
    fn skip(&mut self, opening: usize, end: &[u8], fault: &'static str) -> Result<(), PtxError> {
        let body = self.rest().get(opening..).unwrap_or_default();
        match body.windows(end.len()).position(|window| window == end) {
            Some(length) => {
                self.offset += opening + length + end.len();
                Ok(())
            }
            None => Err(PtxError::new(self.offset, fault)),
        }
    }

    fn skip_blanks(&mut self) -> Result<(), PtxError> {
        loop {
            match self.rest() {
                [b'/', b'*', ..] => self.skip(2, b"*/", "a comment without end")?,
                [b'/', b'/', rest @ ..] => {
                    let length = rest.iter().position(|&byte| byte == b'\n');
                    self.offset += 2 + length.unwrap_or(rest.len());
                }
                [b'"', ..] => self.skip(1, b"\"", "a string without end")?,
                [byte, ..] if byte.is_ascii_whitespace() => self.offset += 1,
                _ => return Ok(()),
            }
        }
    }
}

impl<'text> Iterator for Tokens<'text> {
    type Item = Result<Token<'text>, PtxError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Err(error) = self.skip_blanks() {
            // No token can follow, as the search for the end of the string or comment reached the
            // end of the text.
            self.offset = self.text.len();
            return Some(Err(error));
        }
        let rest = self.rest();
        let length = rest.iter().position(|byte| !is_part_of_word(*byte)).unwrap_or(rest.len());
        if length > 0 {
            self.offset += length;
            return Some(Ok(Token::Word(&rest[..length])));
        }
        let symbol = *rest.first()?;
        self.offset += 1;
        if symbol == 0 || symbol >= 0x80 {
            return Some(Err(PtxError::new(self.offset - 1, "a byte that is no text")));
        }
        Some(Ok(Token::Symbol(symbol)))
    }
}

fn is_part_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._$%".contains(&byte)
}
