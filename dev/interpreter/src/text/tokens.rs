//! Words and signs of PTX text.

use crate::fault::{Fault, Result};

/// A word, a sign of one character or a quoted text, with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) line: u32,
}

fn is_of_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '$' | '%' | '.')
}

/// Divides a text. A quoted text is one token that starts with its quote.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>> {
    let mut found = Vec::new();
    let mut line = 1;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").ok_or_else(|| Fault::at(line, "a comment has no end"))? + 2
        } else {
            let length =
                token_length(rest).ok_or_else(|| Fault::at(line, "a quoted text has no end"))?;
            found.push(Token { text: rest[..length].to_owned(), line });
            length
        };
        let lines = rest[..length].matches('\n').count();
        line += u32::try_from(lines).unwrap_or(u32::MAX);
        rest = &rest[length..];
    }
    Ok(found)
}

/// Returns the length of the token at the start of `rest`, which is not empty.
fn token_length(rest: &str) -> Option<usize> {
    if let Some(quoted) = rest.strip_prefix('"') {
        return Some(quoted.find('"')? + 2);
    }
    let mut length = 0;
    loop {
        let end = rest[length..].find(|character| !is_of_word(character));
        length = end.map_or(rest.len(), |end| length + end);
        // `.shared::cta` is one word, and `label:` is a word and a sign.
        let after = &rest[length..];
        let goes_on = length > 0 && after.starts_with("::") && after[2..].starts_with(is_of_word);
        if !goes_on {
            break;
        }
        length += 2;
    }
    if length > 0 { Some(length) } else { rest.chars().next().map(char::len_utf8) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_dots_and_double_colons() {
        let found =
            tokens("ld.shared::cta.b32 %r1, [x+4]; // end\n$L: @!%p1 bra \"a b\";").unwrap();
        let texts: Vec<_> = found.iter().map(|token| token.text.as_str()).collect();
        let expected = [
            "ld.shared::cta.b32",
            "%r1",
            ",",
            "[",
            "x",
            "+",
            "4",
            "]",
            ";",
            "$L",
            ":",
            "@",
            "!",
            "%p1",
            "bra",
            "\"a b\"",
            ";",
        ];
        assert_eq!(texts, expected);
        assert_eq!(found.last().map(|token| token.line), Some(2));
        assert_eq!(tokens("\n/* x").unwrap_err().line, 2);
    }
}
