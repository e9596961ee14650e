//! Literal strings of Rust code.

/// Returns the literal strings of `code` with the positions at which they begin. Escapes are
/// resolved, as far as messages have them.
pub(crate) fn literals(code: &str) -> Vec<(usize, String)> {
    let bytes = code.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = end_of_line(bytes, at),
            b'\'' if bytes.get(at + 2) == Some(&b'\'') => at += 3,
            b'\'' if bytes.get(at + 1) == Some(&b'\\') => at += 4,
            b'r' if code[at..].starts_with("r#\"") => {
                let end = code[at + 3..].find("\"#").map_or(bytes.len(), |end| at + 3 + end);
                found.push((at, code[at + 3..end].to_owned()));
                at = end + 2;
            }
            b'"' => {
                let end = end_of_string(bytes, at + 1);
                found.push((at, resolved(&code[at + 1..end])));
                at = end + 1;
            }
            _ => at += 1,
        }
    }
    found
}

fn end_of_line(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| at + end)
}

fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

fn resolved(text: &str) -> String {
    let mut result = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                // The next line continues at its first word.
                Some('\n') => {
                    let rest = characters.as_str().trim_start();
                    characters = rest.chars();
                }
                Some('n') => result.push('\n'),
                Some('t') => result.push('\t'),
                Some(other) => result.push(other),
                None => {}
            },
            other => result.push(other),
        }
    }
    result
}

/// Returns the end of the brackets that open at `start`.
pub(crate) fn end_of_brackets(code: &str, start: usize) -> usize {
    let strings = literals(&code[start..]);
    let (mut depth, mut at) = (0_i32, start);
    let bytes = code.as_bytes();
    let mut strings = strings.into_iter().map(|(at, _)| start + at).peekable();
    while at < bytes.len() {
        while strings.next_if(|next| *next < at).is_some() {}
        if strings.peek() == Some(&at) {
            let is_raw = bytes[at] == b'r';
            at = if is_raw {
                code[at + 3..].find("\"#").map_or(bytes.len(), |end| at + 5 + end)
            } else {
                end_of_string(bytes, at + 1) + 1
            };
            continue;
        }
        match bytes[at] {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_found_and_comments_are_not() {
        let code =
            "f(\"one \\\"two\\\"\", 'x', '\"') // \"no\"\ng(\"a \\\n    b\", r#\"raw \"x\"\"#)";
        let texts: Vec<String> = literals(code).into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["one \"two\"", "a b", "raw \"x\""]);
    }

    #[test]
    fn brackets_in_strings_do_not_count() {
        let code = "failure(f(\")\"), \"(\") + 1";
        assert_eq!(&code[end_of_brackets(code, 7)..], ") + 1");
    }
}
