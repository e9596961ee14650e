//! Rules about the text of any file.

use crate::checkout::File;
use crate::violation::Violation;

/// Extensions of files that tools wrote and tests compare byte for byte, spaces included.
const VERBATIM: &[&str] = &["diff", "ll", "patch", "ptx", "sass"];
/// Notes to oneself, put together here so that this file may be checked, too.
const NOTES: &[&str] = &[concat!("FIX", "ME"), concat!("X", "XX")];
/// Folders that exist on somebody's machine only.
const PRIVATE_FOLDERS: &[&str] =
    &[concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/wo", "rk/"), concat!("/Us", "ers/")];
/// Compiler options that a path may follow without a space.
const PATH_OPTIONS: &[&str] = &["-I", "-L", "-B", "-F"];

/// Finds everything against these rules in one file.
pub(crate) fn violations(file: &File) -> Vec<Violation> {
    let mut found = spaces(file);
    found.extend(notes(file));
    found.extend(private_folders(file));
    found
}

fn spaces(file: &File) -> Vec<Violation> {
    if VERBATIM.contains(&file.extension()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (number, line) in numbered(file) {
        if line.ends_with([' ', '\t', '\r']) {
            found.push(Violation::new(file, number, "space at the end of the line"));
        }
        if file.extension() == "rs" && line.contains('\t') {
            found.push(Violation::new(file, number, "a tab"));
        }
    }
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        let last = file.text.lines().count();
        found.push(Violation::new(file, last, "no newline at the end of the file"));
    }
    found
}

fn notes(file: &File) -> Vec<Violation> {
    let is_word = |line: &str, note: &str| {
        line.match_indices(note).any(|(start, _)| {
            let (before, after) = (&line[..start], &line[start + note.len()..]);
            !before.ends_with(is_word_character) && !after.starts_with(is_word_character)
        })
    };
    let of_line = |(number, line): (usize, &str)| {
        let note = NOTES.iter().find(|note| is_word(line, note))?;
        Some(Violation::new(file, number, format!("{note}: do it, or leave it out")))
    };
    numbered(file).filter_map(of_line).collect()
}

fn private_folders(file: &File) -> Vec<Violation> {
    // Below another folder the name is harmless.
    let is_absolute = |before: &str| {
        PATH_OPTIONS.iter().any(|option| before.ends_with(option))
            || !before.ends_with(|c| is_word_character(c) || ".-~/)}>*".contains(c))
    };
    let of_line = |(number, line): (usize, &str)| {
        let starts = |folder: &&&str| {
            line.match_indices(**folder).any(|(start, _)| is_absolute(&line[..start]))
        };
        let folder = PRIVATE_FOLDERS.iter().find(starts)?;
        let message = format!("a path below {folder}, which is not there on other machines");
        Some(Violation::new(file, number, message))
    };
    numbered(file).filter_map(of_line).collect()
}

fn numbered(file: &File) -> impl Iterator<Item = (usize, &str)> {
    // Not `lines()`, which would hide a carriage return.
    file.text.split('\n').enumerate().map(|(index, line)| (index + 1, line))
}

fn is_word_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::violation::lines;

    #[test]
    fn spaces_at_ends_of_lines_tabs_and_missing_newlines_are_found() {
        assert_eq!(lines(spaces, "a.md", "x \ny\t\r\nz\n"), [1, 2]);
        assert_eq!(lines(spaces, "a.rs", "\tx\n"), [1]);
        assert_eq!(lines(spaces, "a.md", "x\ny"), [2]);
        assert!(lines(spaces, "a.rs", "x\n\n    y\n").is_empty());
        assert!(lines(spaces, "Makefile", "\tx\n").is_empty());
        assert!(lines(spaces, "golden.ptx", "x \n").is_empty());
        assert!(lines(spaces, "empty", "").is_empty());
    }

    #[test]
    fn notes_are_found_as_words() {
        for note in NOTES {
            assert_eq!(lines(notes, "a.rs", &format!("x\n// {note}: later\n")), [2]);
            assert!(lines(notes, "a.sh", &format!("mktemp a.{note}{note}\n")).is_empty());
        }
    }

    #[test]
    fn private_folders_are_found_where_a_path_starts() {
        for folder in PRIVATE_FOLDERS {
            for before in ["", "-I", "x=", "(", "\"", "file = '"] {
                assert_eq!(lines(private_folders, "a.md", &format!("{before}{folder}x\n")), [1]);
            }
            for before in ["tests", "$ROOT_{X}", "..", "~"] {
                let text = format!("{before}{folder}x\n");
                assert!(lines(private_folders, "a.md", &text).is_empty(), "{text}");
            }
        }
    }
}
