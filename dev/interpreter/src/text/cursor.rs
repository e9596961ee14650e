//! A place in a row of tokens.

use super::tokens::Token;
use crate::fault::{Fault, Result};

/// The tokens that were not read yet.
pub(super) struct Cursor<'text> {
    tokens: &'text [Token],
    position: usize,
}

impl<'text> Cursor<'text> {
    pub(super) fn new(tokens: &'text [Token]) -> Self {
        Self { tokens, position: 0 }
    }

    /// Returns the next token without reading it; empty at the end.
    pub(super) fn peek(&self) -> &'text str {
        self.peek_at(0)
    }

    /// Returns the token that follows `ahead` others; empty behind the end.
    pub(super) fn peek_at(&self, ahead: usize) -> &'text str {
        self.tokens.get(self.position + ahead).map_or("", |token| token.text.as_str())
    }

    /// Returns the line of the next token, or of the last one.
    pub(super) fn line(&self) -> u32 {
        let token = self.tokens.get(self.position).or_else(|| self.tokens.last());
        token.map_or(0, |token| token.line)
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.position >= self.tokens.len()
    }

    pub(super) fn next(&mut self) -> Result<&'text str> {
        let Some(token) = self.tokens.get(self.position) else {
            return Err(self.fault("the file ends too early"));
        };
        self.position += 1;
        Ok(&token.text)
    }

    /// Reads the next token if it is `text`.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let is_next = !self.is_at_end() && self.peek() == text;
        self.position += usize::from(is_next);
        is_next
    }

    pub(super) fn expect(&mut self, text: &str) -> Result<()> {
        if self.take(text) {
            return Ok(());
        }
        Err(self.fault(format!("{text:?} is expected, not {:?}", self.peek())))
    }

    /// Reads a whole number that is not negative.
    pub(super) fn number(&mut self) -> Result<u64> {
        let word = self.peek();
        let number =
            whole(word).ok_or_else(|| self.fault(format!("a number is expected, not {word:?}")))?;
        self.position += 1;
        Ok(number)
    }

    /// Reads all tokens up to and with `end`.
    pub(super) fn skip_past(&mut self, end: &str) -> Result<()> {
        while self.next()? != end {}
        Ok(())
    }

    pub(super) fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::at(self.line(), message)
    }
}

/// Reads a whole number in any notation of PTX: decimal, hexadecimal, octal, binary.
pub(super) fn whole(word: &str) -> Option<u64> {
    let word = word.strip_suffix('U').unwrap_or(word);
    if let Some(digits) = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        return u64::from_str_radix(digits, 16).ok();
    }
    if let Some(digits) = word.strip_prefix("0b").or_else(|| word.strip_prefix("0B")) {
        return u64::from_str_radix(digits, 2).ok();
    }
    match word.strip_prefix('0') {
        Some(digits) if !digits.is_empty() => u64::from_str_radix(digits, 8).ok(),
        _ => word.parse().ok(),
    }
}
