//! The tokens and words of a part of PTX, with the byte range of each.

use std::ops::Range;

use super::token::{Token, Tokens};

/// A token of PTX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PtxToken<'text> {
    /// A directive or instruction with its dots, a name, a label without its colon, or a number.
    Word(&'text str),
    /// A string with its quotes.
    String(&'text str),
    /// One other character.
    Symbol(char),
}

/// Returns the tokens in the bytes `range` of PTX that [`ptx_items`](super::ptx_items) has read,
/// each with its bytes in `text`. They end where the text is not PTX.
pub fn ptx_tokens(
    text: &str,
    range: Range<usize>,
) -> impl Iterator<Item = (PtxToken<'_>, Range<usize>)> {
    let first = range.start;
    let mut tokens = Tokens::new(text.get(range).unwrap_or_default().as_bytes());
    std::iter::from_fn(move || {
        let (token, range) = tokens.next_with_range()?.ok()?;
        let range = first + range.start..first + range.end;
        let part = text.get(range.clone())?;
        let token = match token {
            Token::Word(_) => PtxToken::Word(part),
            Token::String(_) => PtxToken::String(part),
            Token::Symbol(symbol) => PtxToken::Symbol(char::from(symbol)),
        };
        Some((token, range))
    })
}

/// Returns the words in the bytes `range` of PTX, as [`ptx_tokens`] does. The name of a symbol is a
/// word, so a caller finds each place that names it.
pub fn ptx_words(text: &str, range: Range<usize>) -> impl Iterator<Item = (&str, Range<usize>)> {
    ptx_tokens(text, range).filter_map(|(token, range)| match token {
        PtxToken::Word(word) => Some((word, range)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_places_and_strings_are_none() {
        let text = "{ /* a */ ld.b32 %r1, [a+4]; // a\n.pragma \"a\"; $L_1: bra $L_1; }";
        let words: Vec<_> = ptx_words(text, 1..text.len()).collect();
        let names: Vec<_> = words.iter().map(|(word, _)| *word).collect();
        assert_eq!(names, ["ld.b32", "%r1", "a", "4", ".pragma", "$L_1", "bra", "$L_1"]);
        for (word, range) in words {
            assert_eq!(&text[range], word);
        }
        let last = ptx_tokens(text, 0..text.len()).last();
        assert_eq!(last, Some((PtxToken::Symbol('}'), text.len() - 1..text.len())));
        assert_eq!(ptx_words(text, 5..900).count(), 0);
    }
}
