//! The tokens of a Rust source: its words for rules about code, and the places of its literals for
//! rules about the columns and comments of its lines.

use std::ops::Range;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Returns the place of each string literal, as bytes of the source, and whether it is raw. A
/// source that is no Rust has none.
pub(crate) fn literals(source: &str) -> Vec<(Range<usize>, bool)> {
    let mut found = Vec::new();
    if let Ok(tokens) = source.parse() {
        add(source, tokens, &mut found);
    }
    found
}

fn add(source: &str, tokens: TokenStream, found: &mut Vec<(Range<usize>, bool)>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => add(source, group.stream(), found),
            TokenTree::Literal(literal) => {
                let place = literal.span().byte_range();
                // The text of a documentation comment is a literal of an attribute, too.
                let text = source.get(place.clone()).unwrap_or_default();
                let after_prefix = text.trim_start_matches(['b', 'c']);
                if after_prefix.starts_with(['"', 'r']) {
                    found.push((place, after_prefix.starts_with('r')));
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

/// Returns the words, signs and brackets of a source with their lines, without comments and the
/// contents of literals. A source that is no Rust has none.
pub(crate) fn words(source: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    if let Ok(tokens) = source.parse() {
        add_words(tokens, &mut found);
    }
    found
}

fn add_words(tokens: TokenStream, found: &mut Vec<(String, usize)>) {
    for token in tokens {
        let line = token.span().start().line;
        match token {
            TokenTree::Group(group) => {
                let bracket = match group.delimiter() {
                    Delimiter::Parenthesis => "(",
                    Delimiter::Brace => "{",
                    Delimiter::Bracket => "[",
                    Delimiter::None => "",
                };
                found.push((bracket.to_owned(), line));
                add_words(group.stream(), found);
            }
            TokenTree::Ident(word) => found.push((word.to_string(), line)),
            TokenTree::Punct(sign) => found.push((sign.to_string(), line)),
            TokenTree::Literal(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::literals;

    #[test]
    fn strings_are_found_and_comments_are_not() {
        let call = "g(\"a \\\" b\", b'\"', 'c', r#\"d \" e\"#, b\"f\")";
        let source = format!("/// \"no\"\nfn f() {{ {call}; }} // \"no\"\n");
        let found: Vec<(&str, bool)> =
            literals(&source).into_iter().map(|(place, is_raw)| (&source[place], is_raw)).collect();
        let expected = [("\"a \\\" b\"", false), ("r#\"d \" e\"#", true), ("b\"f\"", false)];
        assert_eq!(found, expected);
        assert_eq!(literals("fn f( {"), []);
    }
}
