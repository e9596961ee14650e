//! The names and numbers in a declaration.

use std::str::FromStr;

/// Returns the name of a function, which follows the return value in parentheses and attributes
/// that start with a dot.
pub(super) fn function_name<'text>(words: &[&'text [u8]]) -> Option<&'text [u8]> {
    let mut depth = 0_usize;
    for word in words {
        match *word {
            b"(" => depth += 1,
            b")" => depth = depth.saturating_sub(1),
            word if depth == 0 && is_name(word) => return Some(word),
            _ => {}
        }
    }
    None
}

/// Returns the names in a list of variables: one at its start and one after each comma. Numbers of
/// alignments and dimensions are no names, and values follow in braces or as one word after `=`.
pub(super) fn variable_names<'text>(words: &[&'text [u8]]) -> Vec<&'text [u8]> {
    let mut names = Vec::new();
    let (mut depth, mut expected) = (0_usize, true);
    for word in words {
        match *word {
            b"(" => depth += 1,
            b")" => depth = depth.saturating_sub(1),
            b"," if depth == 0 => expected = true,
            word if expected && depth == 0 && is_name(word) => {
                names.push(word);
                expected = false;
            }
            _ => {}
        }
    }
    names
}

/// Returns the array without a size that a statement declares, with its alignment; `None` for other
/// declarations.
pub(super) fn unsized_array(words: &[&[u8]]) -> Option<(String, u32)> {
    let bracket = words.iter().position(|word| *word == b"[")?;
    let name = words.get(bracket.checked_sub(1)?).filter(|word| is_name(word))?;
    let has_size = words.get(bracket + 1).is_some_and(|word| number::<u32>(word).is_some());
    let alignment = alignment(words).unwrap_or(1);
    (!has_size).then(|| (String::from_utf8_lossy(name).into_owned(), alignment))
}

/// Returns the number after `.align`.
pub(super) fn alignment(words: &[&[u8]]) -> Option<u32> {
    let at = words.iter().position(|word| *word == b".align")?;
    number(words.get(at + 1)?)
}

/// Returns the number that is the `word`.
pub(super) fn number<Number: FromStr>(word: &[u8]) -> Option<Number> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

fn is_name(word: &[u8]) -> bool {
    word.first().is_some_and(|first| first.is_ascii_alphabetic() || b"_$%".contains(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&[u8]> {
        text.split(' ').map(str::as_bytes).collect()
    }

    #[test]
    fn names_are_neither_in_parentheses_nor_values() {
        let names = variable_names(&words(".attribute ( a , ( b ) , c ) .b8 x [ 4 ] , y = z"));
        assert_eq!(names, [b"x", b"y"]);
        assert_eq!(variable_names(&words(".u64 x = m ( a , b ) c , y")), [b"x", b"y"]);
        assert_eq!(function_name(&words(".attribute ( ( a ) b ) f ( c ) d")), Some(&b"f"[..]));
        assert_eq!(function_name(&words("( a")), None);
    }
}
