//! Tokens of Rust code, and the code without its tests.

use crate::blank::is_name_character;

/// A word, `::`, or one other character that is no space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'code> {
    pub(crate) text: &'code str,
    pub(crate) line: usize,
}

/// Words that an item with a body or a semicolon may start with.
const ITEM_WORDS: &[&str] = &[
    "async",
    "const",
    "enum",
    "extern",
    "fn",
    "impl",
    "macro_rules",
    "mod",
    "pub",
    "static",
    "struct",
    "trait",
    "type",
    "union",
    "unsafe",
    "use",
];
/// Words of items that end with a semicolon even where they hold braces.
const SEMICOLON_WORDS: &[&str] = &["const", "let", "static", "type", "use"];

impl Token<'_> {
    /// Tells whether the token is a name, a keyword or a number.
    pub(crate) fn is_word(&self) -> bool {
        self.text.starts_with(is_name_character)
    }
}

/// Returns the tokens of blanked code, less the items that are compiled for tests alone.
pub(crate) fn without_tests(code: &str) -> Vec<Token<'_>> {
    let tokens = tokens(code);
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        match attribute_end(&tokens, at) {
            Some(end) if is_test_attribute(&tokens[at..end]) => {
                // An inner attribute is about everything that follows.
                let is_inner = tokens[at + 1].text == "!";
                at = if is_inner { tokens.len() } else { item_end(&tokens, end) };
            }
            Some(end) => {
                kept.extend_from_slice(&tokens[at..end]);
                at = end;
            }
            None => {
                kept.push(tokens[at]);
                at += 1;
            }
        }
    }
    kept
}

/// Splits blanked code into tokens. Lifetimes are left out.
fn tokens(code: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut rest, mut line) = (code, 1);
    while let Some(first) = rest.chars().next() {
        let name_length = |text: &str| text.find(|c| !is_name_character(c)).unwrap_or(text.len());
        let (length, is_token) = match first {
            '\n' => {
                line += 1;
                (1, false)
            }
            '\'' => (1 + name_length(&rest[1..]), false),
            _ if first.is_whitespace() => (first.len_utf8(), false),
            _ if is_name_character(first) => (name_length(rest), true),
            _ if rest.starts_with("::") => (2, true),
            _ => (first.len_utf8(), true),
        };
        let (text, after) = rest.split_at(length);
        if is_token {
            tokens.push(Token { text, line });
        }
        rest = after;
    }
    tokens
}

/// Returns the index after the attribute that starts at `at`, if one does.
fn attribute_end(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.text == text);
    let bracket = if is(at + 1, "!") { at + 2 } else { at + 1 };
    (is(at, "#") && is(bracket, "[")).then(|| group_end(tokens, bracket))
}

/// Tells whether an attribute is `cfg(test)`, alone or with more conditions that must hold.
fn is_test_attribute(attribute: &[Token<'_>]) -> bool {
    let words: Vec<&str> =
        attribute.iter().filter(|token| token.is_word()).map(|token| token.text).collect();
    words.starts_with(&["cfg", "test"]) || words.starts_with(&["cfg", "all", "test"])
}

/// Returns the index after the item, statement, field or arm that starts at `at`.
fn item_end(tokens: &[Token<'_>], mut at: usize) -> usize {
    while let Some(end) = attribute_end(tokens, at) {
        at = end;
    }
    let starts_with =
        |words: &[&str]| tokens.get(at).is_some_and(|token| words.contains(&token.text));
    let is_item = starts_with(ITEM_WORDS);
    let mut needs_semicolon = starts_with(SEMICOLON_WORDS);
    while let Some(token) = tokens.get(at) {
        match token.text {
            ";" => return at + 1,
            "," if !is_item => return at + 1,
            ")" | "]" | "}" => return at,
            "(" | "[" => at = group_end(tokens, at),
            "{" => {
                at = group_end(tokens, at);
                if !needs_semicolon {
                    return at;
                }
            }
            "fn" => {
                needs_semicolon = false;
                at += 1;
            }
            "use" | "static" | "type" => {
                needs_semicolon = true;
                at += 1;
            }
            _ => at += 1,
        }
    }
    at
}

/// Returns the index after the bracket that closes the one at `at`.
fn group_end(tokens: &[Token<'_>], at: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(at) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::without_tests;

    #[test]
    fn items_for_tests_are_left_out() {
        for (code, expected) in [
            ("a::b('c, 1);", "a :: b ( , 1 ) ;"),
            ("#[cfg(test)] mod tests { fn a() {} } fn b();", "fn b ( ) ;"),
            ("#[cfg(test)] #[x] pub(crate) use a::{b, c}; d", "d"),
            ("#[cfg(all(test, unix))] const A: [u8; 2] = { 1 }; b", "b"),
            ("#[cfg(test)] const fn a() {} b", "b"),
            ("{ #[cfg(test)] a: u8, b: u8 }", "{ b : u8 }"),
            ("#[cfg(not(test))] a;", "# [ cfg ( not ( test ) ) ] a ;"),
            ("a; #![cfg(test)] b; c", "a ;"),
        ] {
            let texts: Vec<&str> = without_tests(code).iter().map(|token| token.text).collect();
            assert_eq!(texts.join(" "), expected, "{code}");
        }
    }
}
