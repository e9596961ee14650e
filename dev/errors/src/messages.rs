//! The errors of the product: their texts, their origins and their exit codes.

use crate::literals::{end_of_brackets, literals};
use crate::sources::Source;

/// Faults of `crates/cli/src/fault.rs` with their exit codes.
pub(crate) const FAULTS: [(&str, u8); 5] =
    [("Usage", 2), ("Input", 3), ("Environment", 4), ("Tool", 5), ("Limit", 6)];

/// An error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    /// Text, with placeholders in braces.
    pub(crate) text: String,
    /// Name of the type, or path of the file that gives the exit code.
    pub(crate) origin: String,
    /// Path of the file.
    pub(crate) path: String,
    /// Exit code, if the place of the error decides it.
    pub(crate) code: Option<u8>,
}

/// Returns all errors, in the order of files and texts.
pub(crate) fn messages(sources: &[Source]) -> Vec<Message> {
    let mut messages = Vec::new();
    for source in sources {
        messages.extend(of_types(source));
        messages.extend(of_places(source));
    }
    messages.sort_by(|one, other| {
        (&one.origin, one.code, &one.text).cmp(&(&other.origin, other.code, &other.text))
    });
    messages.dedup();
    messages
}

/// Returns the texts that `thiserror` gives to the values of a type.
fn of_types(source: &Source) -> Vec<Message> {
    let mut messages = Vec::new();
    for (at, _) in source.code.match_indices("#[error(") {
        let end = end_of_brackets(&source.code, at + "#[error".len());
        let texts = literals(&source.code[at..end]);
        let Some((_, text)) = texts.first().filter(|(_, text)| says_something(text)) else {
            continue;
        };
        let origin = type_around(&source.code, at);
        let (path, text) = (source.path.clone(), text.clone());
        messages.push(Message { text, origin, path, code: None });
    }
    messages
}

/// Returns the name of the type that is defined around a position, or after it if none is.
fn type_around(code: &str, at: usize) -> String {
    let start = code[..at].rfind("#[derive(").unwrap_or(at);
    let words: Vec<&str> = code[start..].split_whitespace().collect();
    let name = words.windows(2).find(|pair| pair[0] == "enum" || pair[0] == "struct");
    let is_part = |c: char| !c.is_alphanumeric();
    name.map(|pair| pair[1].split(is_part).next().unwrap_or_default().to_owned())
        .unwrap_or_default()
}

/// Returns the texts of places that give an error its exit code.
fn of_places(source: &Source) -> Vec<Message> {
    let code = &source.code;
    let calls = ["failure(", ".blame("];
    let mut messages = Vec::new();
    for (at, call) in calls.iter().flat_map(|call| code.match_indices(call)) {
        let end = end_of_brackets(code, at + call.len() - 1);
        let arguments = &code[at..end];
        let Some(code_of_fault) = fault(arguments) else { continue };
        let mut texts: Vec<String> =
            literals(arguments).into_iter().map(|(_, text)| text).collect();
        if texts.is_empty()
            && let Some(name) = last_name(arguments)
        {
            texts = texts_of(code, at, name);
        }
        for text in texts.into_iter().filter(|text| says_something(text)) {
            messages.push(Message {
                text,
                origin: source.path.clone(),
                path: source.path.clone(),
                code: Some(code_of_fault),
            });
        }
    }
    messages
}

fn fault(arguments: &str) -> Option<u8> {
    let (_, rest) = arguments.split_once("Fault::")?;
    let (_, code) = FAULTS.iter().find(|(name, _)| rest.starts_with(name))?;
    Some(*code)
}

/// Returns the variable that is the last argument.
fn last_name(arguments: &str) -> Option<&str> {
    let name = arguments.rsplit([',', ' ', '(']).next()?.trim();
    name.chars().all(|c| c.is_alphanumeric() || c == '_').then_some(name)
}

/// Returns the texts of the last definition of a variable before a position.
fn texts_of(code: &str, at: usize, name: &str) -> Vec<String> {
    let definition = format!("let {name} = ");
    let Some(start) = code[..at].rfind(&definition) else { return Vec::new() };
    let end = code[start..at].find(";\n").map_or(at, |end| start + end);
    literals(&code[start..end]).into_iter().map(|(_, text)| text).collect()
}

/// Whether a text is more than a frame around another one.
fn says_something(text: &str) -> bool {
    fragments(text)
        .iter()
        .any(|fragment| fragment.chars().filter(|c| c.is_alphabetic()).count() > 5)
}

/// Returns the parts of a text between its placeholders.
pub(crate) fn fragments(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for part in text.split('{') {
        let rest = part.split_once('}').map_or(part, |(_, rest)| rest);
        parts.push(rest.trim_matches([' ', ':', ',', '.']));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(code: &str) -> Vec<(String, String, Option<u8>)> {
        let source =
            Source { path: "x.rs".to_owned(), code: code.to_owned(), tests: String::new() };
        let all = messages(&[source]).into_iter();
        all.map(|message| (message.origin, message.text, message.code)).collect()
    }

    #[test]
    fn types_and_places_have_errors() {
        let code = r#"
            #[derive(Debug, Error)]
            pub enum ReadError {
                #[error("{path}: the archive ends early")]
                Short { path: String },
                #[error(transparent)]
                Other(#[from] Inner),
            }
            fn f() {
                let message = format!("cannot find {name} anywhere");
                return Err(failure(Fault::Input, message));
                read(path).blame(Fault::Environment, || format!("cannot read {}", path))?;
                wrapped.blame(Fault::Tool, || format!("{}: {error}", path))?;
            }"#;
        let row = |origin: &str, text: &str, code| (origin.to_owned(), text.to_owned(), code);
        assert_eq!(
            of(code),
            [
                row("ReadError", "{path}: the archive ends early", None),
                row("x.rs", "cannot find {name} anywhere", Some(3)),
                row("x.rs", "cannot read {}", Some(4)),
            ]
        );
    }

    #[test]
    fn placeholders_divide_a_text() {
        assert_eq!(fragments("{a}: it has {b:?} parts"), ["", "it has", "parts"]);
    }
}
