//! The words of a command line, with the files of words that it names.

use std::path::PathBuf;

use weft_cli::{Blame as _, Fault, failure, files};

use crate::drivers::{Driver, divided};

/// A word, and its place in the command as it was given: a file of words has one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) place: usize,
}

/// Depth up to which files of words may name others.
const DEPTH: usize = 16;

/// Options of nvcc that name such a file; other programs take `@FILE`.
const OF_NVCC: [&str; 2] = ["--options-file", "-optf"];

/// Returns the words of a command for `driver`, with the content of each file of words in its
/// place. The name of a file that does not exist stays a word, as in compilers.
pub(crate) fn words(command: &[String], driver: Driver) -> anyhow::Result<Vec<Word>> {
    let placed = command.iter().cloned().enumerate();
    let all: Vec<Word> = placed.map(|(place, text)| Word { text, place }).collect();
    let mut words = Vec::new();
    expand(&all, driver, 0, &mut words)?;
    Ok(words)
}

fn expand(all: &[Word], driver: Driver, depth: usize, words: &mut Vec<Word>) -> anyhow::Result<()> {
    let mut rest = all.iter();
    while let Some(word) = rest.next() {
        let files = match driver {
            Driver::Nvcc => named_by_nvcc(&word.text, &mut rest),
            Driver::Compiler | Driver::Linker => named_by_others(&word.text),
        };
        let Some(files) = files else {
            words.push(word.clone());
            continue;
        };
        for path in files {
            let name = || path.display().to_string();
            if depth == DEPTH {
                let message = format!("{}: files of options name each other in a circle", name());
                return Err(failure(Fault::Input, message));
            }
            let content = String::from_utf8(files::read(&path)?).blame(Fault::Input, name)?;
            let place = word.place;
            let found = split(&content).into_iter().map(|text| Word { text, place });
            expand(&found.collect::<Vec<_>>(), driver, depth + 1, words)?;
        }
    }
    Ok(())
}

fn named_by_others(word: &str) -> Option<Vec<PathBuf>> {
    let path = word.strip_prefix('@').map(PathBuf::from).filter(|path| path.is_file())?;
    Some(vec![path])
}

/// Returns the files that an option of nvcc names, which may be in the next word.
fn named_by_nvcc<'a>(
    word: &str,
    rest: &mut impl Iterator<Item = &'a Word>,
) -> Option<Vec<PathBuf>> {
    let (name, joined) = divided(word);
    if !OF_NVCC.contains(&name) {
        return None;
    }
    let list = joined.or_else(|| rest.next().map(|word| word.text.as_str())).unwrap_or_default();
    Some(list.split(',').map(PathBuf::from).collect())
}

/// Splits a text into words as compilers do: at blanks that are not quoted. A backslash quotes the
/// character behind it.
pub(crate) fn split(text: &str) -> Vec<String> {
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
        let found = words(&command, Driver::Compiler).unwrap();
        let texts: Vec<&str> = found.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(texts, ["a", "b", "c", "-o", "d", "@absent"]);
        assert_eq!(found.iter().map(|word| word.place).collect::<Vec<_>>(), [0, 1, 1, 1, 1, 2]);
        std::fs::write(&other, format!("@{}", one.display())).unwrap();
        assert!(words(&command, Driver::Compiler).is_err());

        std::fs::write(&other, "x.o 'y z.o'").unwrap();
        let path = other.display();
        for command in [format!("-optf={path}"), format!("--options-file {path}")] {
            let command: Vec<String> = command.split(' ').map(str::to_owned).collect();
            let found = words(&command, Driver::Nvcc).unwrap();
            let texts: Vec<&str> = found.iter().map(|word| word.text.as_str()).collect();
            assert_eq!(texts, ["x.o", "y z.o"]);
        }
        let at = [format!("@{path}")];
        assert_eq!(words(&at, Driver::Nvcc).unwrap()[0].text, at[0]);
    }
}
