//! A documentation comment starts with a noun or a verb, so that its first sentence can be read
//! alone.

use crate::checkout::File;
use crate::tokens::literals;
use crate::violation::Violation;

/// Words that start a question, or point at something else.
const OPENINGS: &[&str] = &[
    "At what",
    "How many",
    "How much",
    "It",
    "See there",
    "Those",
    "What",
    "Where",
    "Which",
    "Who",
];
const LANGUAGES: &[&str] = &["cpp", "cu", "cuh", "h", "rs"];

/// Finds documentation comments of one file that start with such words.
pub(crate) fn violations(file: &File) -> Vec<Violation> {
    if !LANGUAGES.contains(&file.extension()) {
        return Vec::new();
    }
    let is_rust = file.extension() == "rs";
    let literals = if is_rust { literals(&file.text) } else { Vec::new() };
    let mut found = Vec::new();
    let (mut is_inside, mut start) = (false, 0);
    for (index, line) in file.text.split('\n').enumerate() {
        let is_code = !literals.iter().any(|(literal, _)| literal.contains(&start));
        let comment = comment(line).filter(|_| is_code);
        start += line.len() + 1;
        if let Some(text) = comment.filter(|_| !is_inside)
            && let Some(opening) = OPENINGS.iter().find(|opening| starts_with(text, opening))
        {
            let message = format!("the comment starts with \"{opening}\": name the thing itself");
            found.push(Violation::new(file, index + 1, message));
        }
        is_inside = comment.is_some();
    }
    found
}

/// Returns the text of a line of documentation.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
    (!text.starts_with('/')).then_some(text.trim())
}

fn starts_with(text: &str, opening: &str) -> bool {
    let rest = text.strip_prefix(opening);
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::violations;
    use crate::violation::lines;

    #[test]
    fn comments_without_a_noun_are_found() {
        let text = "//! What this is.\n\n/// A value.\n/// Which it is.\na\n    /// How many.\nb\n\
                    /// It.\nc /// d\n/// At what it calls.\n";
        assert_eq!(lines(violations, "a.rs", text), [1, 6, 8, 10]);
        assert_eq!(lines(violations, "a.h", "/// Who asks.\n"), [1]);
    }

    #[test]
    fn other_comments_are_not_found() {
        let text =
            "/// Its size.\na\n/// Whatever.\nb\n// What\nc\n//// What\n/// Number of them.\n";
        assert!(lines(violations, "a.rs", text).is_empty());
        assert!(lines(violations, "a.rs", "let a = \"\n/// What\n\";\n").is_empty());
        assert!(lines(violations, "a.md", "/// What\n").is_empty());
    }
}
