//! Blanks out what is not code in a Rust source, so that rules can search the rest as text.
//!
//! A parser would be exact, but is a dependency. This scanner knows comments (they nest), string,
//! byte-string, C-string and raw-string literals, and tells character literals from lifetimes. Line
//! breaks stay, so line numbers do too.

use std::ops::Range;

/// Returns the source with every character of comments and of the insides of literals made a space.
pub(crate) fn blank(source: &str) -> String {
    scan(source).code
}

/// Returns the insides of all string literals, as bytes of the source, and whether each is raw.
pub(crate) fn literals(source: &str) -> Vec<(Range<usize>, bool)> {
    scan(source).literals
}

fn scan(source: &str) -> Scanner<'_> {
    let code = String::with_capacity(source.len());
    let mut scanner = Scanner { source, rest: source, code, literals: Vec::new() };
    while let Some(first) = scanner.rest.chars().next() {
        if scanner.rest.starts_with("//") {
            let length = scanner.rest.find('\n').unwrap_or(scanner.rest.len());
            scanner.hide(length);
        } else if scanner.rest.starts_with("/*") {
            scanner.hide(comment_length(scanner.rest));
        } else if let Some((prefix, hashes)) = raw_string(scanner.rest, &scanner.code) {
            scanner.keep(prefix);
            let end = format!("\"{}", "#".repeat(hashes));
            let length = scanner.rest.find(&end).map_or(scanner.rest.len(), |start| start);
            scanner.hide_literal(length, true);
            scanner.keep(end.len());
        } else if first == '"' {
            scanner.keep(1);
            scanner.hide_literal(string_length(scanner.rest), false);
            scanner.keep(1);
        } else if let Some(length) = character_length(scanner.rest) {
            scanner.hide(length);
        } else {
            scanner.keep(first.len_utf8());
        }
    }
    scanner
}

/// Tells whether `c` may be a part of a name.
pub(crate) fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

struct Scanner<'source> {
    source: &'source str,
    rest: &'source str,
    code: String,
    literals: Vec<(Range<usize>, bool)>,
}

impl Scanner<'_> {
    fn keep(&mut self, length: usize) {
        let (kept, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.code.push_str(kept);
        self.rest = rest;
    }

    fn hide_literal(&mut self, length: usize, is_raw: bool) {
        let start = self.source.len() - self.rest.len();
        self.literals.push((start..start + length, is_raw));
        self.hide(length);
    }

    fn hide(&mut self, length: usize) {
        let (hidden, rest) = self.rest.split_at(length);
        self.code.extend(hidden.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        self.rest = rest;
    }
}

/// Returns the length of the comment, nested ones included, that the text starts with.
fn comment_length(text: &str) -> usize {
    let (mut at, mut depth) = (0, 0_u32);
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            (at, depth) = (at + 2, depth + 1);
        } else if rest.starts_with(b"*/") {
            (at, depth) = (at + 2, depth - 1);
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    text.len()
}

/// If a raw string starts here, returns the length of its opening and its number of `#`.
fn raw_string(text: &str, code_before: &str) -> Option<(usize, usize)> {
    if code_before.ends_with(is_name_character) {
        return None;
    }
    let prefix = ["r", "br", "cr"].into_iter().find(|prefix| {
        let after = text.strip_prefix(prefix);
        after.is_some_and(|after| after.trim_start_matches('#').starts_with('"'))
    })?;
    let hashes = text[prefix.len()..].find('"')?;
    Some((prefix.len() + hashes + 1, hashes))
}

/// Returns the length of a string's inside, up to its closing quote.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at,
            _ => {}
        }
    }
    text.len()
}

/// Returns the length of the character literal that the text starts with; a lifetime is none.
fn character_length(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('\'')?;
    let mut characters = inside.char_indices();
    let (_, first) = characters.next()?;
    if first == '\\' {
        // What is escaped may be a quote itself.
        let (after, _) = characters.nth(1)?;
        return inside[after..].find('\'').map(|end| 1 + after + end + 1);
    }
    let (end, quote) = characters.next()?;
    (quote == '\'').then_some(1 + end + 1)
}

#[cfg(test)]
mod tests {
    use super::blank;

    #[test]
    fn comments_and_literals_are_blank_and_code_is_not() {
        for (source, words) in [
            ("a // hidden\nb", "a b"),
            ("a /* hidden /* hidden */ hidden */ b", "a b"),
            (r#"a("hidden \" hidden", b'"', c)"#, r#"a(" ", b , c)"#),
            ("a(r#\"hidden \" hidden\"#, b)", "a(r#\" \"#, b)"),
            (r"a(r'\\', '\'', '\u{1F600}', b)", r"a(r , , , b)"),
            ("fn a<'b>(c: &'b str) -> char { 'd' }", "fn a<'b>(c: &'b str) -> char { }"),
            ("for \"hidden\" {}", "for \" \" {}"),
            ("a(\"é\"); 'é'; b", "a(\" \"); ; b"),
            ("\"not closed", "\" "),
        ] {
            let blanked = blank(source);
            let squeezed = blanked.split(' ').filter(|word| !word.is_empty());
            let expected = words.split(' ').filter(|word| !word.is_empty());
            let lines = |text: &str| text.matches('\n').count();
            assert_eq!(lines(source), lines(&blanked));
            let squeezed: Vec<String> = squeezed.map(|word| word.replace('\n', "")).collect();
            assert_eq!(squeezed, expected.collect::<Vec<_>>(), "{source}");
        }
    }
}
