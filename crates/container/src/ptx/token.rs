//! PTX as words, strings and symbols, without comments.

use std::ops::Range;

use super::error::PtxError;

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'text> {
    /// A directive with its dot, a name or a number.
    Word(&'text [u8]),
    /// A string with its quotes.
    String(&'text [u8]),
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

    /// Returns the next token and its bytes.
    pub(super) fn next_with_range(
        &mut self,
    ) -> Option<Result<(Token<'text>, Range<usize>), PtxError>> {
        let token = self.next()?;
        let end = self.offset;
        Some(token.map(|token| (token, end - token.length()..end)))
    }

    fn rest(&self) -> &'text [u8] {
        self.text.get(self.offset..).unwrap_or_default()
    }

    /// Takes a comment or string, of which `opening` bytes begin it and `end` ends it.
    fn take(
        &mut self,
        opening: usize,
        end: &[u8],
        fault: &'static str,
    ) -> Result<&'text [u8], PtxError> {
        let rest = self.rest();
        let body = rest.get(opening..).unwrap_or_default();
        match body.windows(end.len()).position(|window| window == end) {
            Some(length) => {
                let length = opening + length + end.len();
                self.offset += length;
                Ok(&rest[..length])
            }
            None => Err(PtxError::new(self.offset, fault)),
        }
    }

    fn skip_blanks(&mut self) -> Result<(), PtxError> {
        loop {
            match self.rest() {
                [b'/', b'*', ..] => drop(self.take(2, b"*/", "a comment without end")?),
                [b'/', b'/', rest @ ..] => {
                    let length = rest.iter().position(|&byte| byte == b'\n');
                    self.offset += 2 + length.unwrap_or(rest.len());
                }
                [byte, ..] if byte.is_ascii_whitespace() => self.offset += 1,
                _ => return Ok(()),
            }
        }
    }
}

impl Token<'_> {
    fn length(self) -> usize {
        match self {
            Self::Word(bytes) | Self::String(bytes) => bytes.len(),
            Self::Symbol(_) => 1,
        }
    }
}

impl<'text> Iterator for Tokens<'text> {
    type Item = Result<Token<'text>, PtxError>;

    fn next(&mut self) -> Option<Self::Item> {
        let token = self.token().transpose();
        if let Some(Err(_)) = token {
            // Nothing after a fault is read.
            self.offset = self.text.len();
        }
        token
    }
}

impl<'text> Tokens<'text> {
    fn token(&mut self) -> Result<Option<Token<'text>>, PtxError> {
        self.skip_blanks()?;
        let rest = self.rest();
        if rest.first() == Some(&b'"') {
            return self.take(1, b"\"", "a string without end").map(Token::String).map(Some);
        }
        let length = rest.iter().position(|byte| !is_part_of_word(*byte)).unwrap_or(rest.len());
        if length > 0 {
            self.offset += length;
            return Ok(Some(Token::Word(&rest[..length])));
        }
        let Some(&symbol) = rest.first() else { return Ok(None) };
        if symbol == 0 || symbol >= 0x80 {
            return Err(PtxError::new(self.offset, "a byte that is no text"));
        }
        self.offset += 1;
        Ok(Some(Token::Symbol(symbol)))
    }
}

fn is_part_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._$%".contains(&byte)
}
