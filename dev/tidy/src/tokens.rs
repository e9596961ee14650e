//! The literals of a Rust source, for rules about the columns and comments of its lines.

use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};

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
