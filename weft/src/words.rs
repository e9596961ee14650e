//! The words of a command line, with the files of words that it names.

use std::path::Path;

use weft_cli::{Blame as _, Fault, failure, files};

/// A word, and its place in the command as it was given: a file of words has one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) place: usize,
}

/// Depth up to which files of words may name others.
const DEPTH: usize = 16;

/// Returns the words of a command, with the content of each `@FILE` in its place. A file that does
/// not exist is a word of its own, as compilers have it.
pub(crate) fn words(command: &[String]) -> anyhow::Result<Vec<Word>> {
    let mut words = Vec::new();
    for (place, text) in command.iter().enumerate() {
        expand(text, place, 0, &mut words)?;
    }
    Ok(words)
}

fn expand(text: &str, place: usize, depth: usize, words: &mut Vec<Word>) -> anyhow::Result<()> {
    let path = text.strip_prefix('@').map(Path::new).filter(|path| path.is_file());
    let Some(path) = path else {
        words.push(Word { text: text.to_owned(), place });
        return Ok(());
    };
    let name = || path.display().to_string();
    if depth == DEPTH {
        let message = format!("{}: files of options name each other in a circle", name());
        return Err(failure(Fault::Input, message));
    }
    let content = String::from_utf8(files::read(path)?).blame(Fault::Input, name)?;
    for word in split(&content) {
        expand(&word, place, depth + 1, words)?;
    }
    Ok(())
}

/// Splits a text into words as compilers do: at blanks, but for quoted ones. A backslash stands for
/// the character behind it.
fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (_, '\\') => word.get_or_insert_default().extend(characters.next()),
            (Some(open), _) if character == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_split_as_compilers_do() {
        assert_eq!(split("a  'b c'\n\"d\\\"e\" f\\ g ''"), ["a", "b c", "d\"e", "f g", ""]);
        assert_eq!(split(" "), [""; 0]);
    }

    #[test]
    fn files_of_words_take_the_place_of_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        std::fs::write(&other, "c -o d").unwrap();
        std::fs::write(&one, format!("b @{}", other.display())).unwrap();
        let command = ["a".to_owned(), format!("@{}", one.display()), "@absent".to_owned()];
        let found = words(&command).unwrap();
        let texts: Vec<&str> = found.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(texts, ["a", "b", "c", "-o", "d", "@absent"]);
        assert_eq!(found.iter().map(|word| word.place).collect::<Vec<_>>(), [0, 1, 1, 1, 1, 2]);
        std::fs::write(&other, format!("@{}", one.display())).unwrap();
        assert!(words(&command).is_err());
    }
}
