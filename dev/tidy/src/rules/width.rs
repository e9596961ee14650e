//! Lines of code and of comments fit into 100 columns.
//!
//! A line that cannot be broken is excused: its words are one, such as an address; or the column
//! after the last lies in a literal without a place to break it; or tests read the line as data.

use crate::checkout::File;
use crate::tokens::literals;
use crate::violation::Violation;

/// Largest number of characters in a line.
const WIDEST: usize = 100;
const LANGUAGES: &[&str] =
    &["bazel", "bzl", "c", "cc", "cmake", "cpp", "css", "cu", "cuh", "h", "hpp", "js", "rs", "sh"];
/// Names of files in these languages that have no extension, or another.
const NAMES: &[&str] = &[".ci/run", "BUILD", "CMakeLists.txt", "WORKSPACE", "WORKSPACE.in"];
/// Extension of templates of sources, after the one of their language.
const TEMPLATE: &str = ".txt";
/// Starts of comments that tests compare with messages, each on one line.
const DATA: &[&str] = &["# says:", "# not left:"];
/// Number of closing brackets and the like that may follow a literal.
const CLOSING: usize = 8;

/// Finds lines of one file that are too wide.
pub(crate) fn violations(file: &File) -> Vec<Violation> {
    if !is_checked(file) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut start = 0;
    for (index, line) in file.text.split('\n').enumerate() {
        let width = line.chars().count();
        if width > WIDEST && !is_excused(file, line, start) {
            let message = format!("{width} columns, at most {WIDEST} are allowed");
            found.push(Violation::new(file, index + 1, message));
        }
        start += line.len() + 1;
    }
    found
}

fn is_checked(file: &File) -> bool {
    let template = file.name().strip_suffix(TEMPLATE).and_then(|name| name.rsplit_once('.'));
    let extension = template.map_or(file.extension(), |(_, extension)| extension);
    LANGUAGES.contains(&extension)
        || NAMES.contains(&file.name())
        || NAMES.contains(&file.path.as_str())
}

/// Tells whether the wide line that starts at the byte `start` cannot be broken.
fn is_excused(file: &File, line: &str, start: usize) -> bool {
    let words = line.trim_start_matches(|c: char| c.is_whitespace() || "/#*!".contains(c));
    if !words.trim_end().contains(' ') || DATA.iter().any(|data| line.starts_with(data)) {
        return true;
    }
    let column = line.char_indices().nth(WIDEST).map_or(line.len(), |(at, _)| at);
    match file.extension() {
        "rs" => is_in_literal(&file.text, start, line, column),
        // An argument in quotes is one line, and nothing concatenates two.
        "cmake" | "txt" | "sh" => line[..column].matches('"').count() % 2 == 1,
        _ => false,
    }
}

/// Tells whether the column of the line lies in a literal of Rust that cannot be broken, or behind
/// the end of one with closing characters between.
fn is_in_literal(text: &str, start: usize, line: &str, column: usize) -> bool {
    let (wide, end) = (start + column, start + line.len());
    literals(text).into_iter().any(|(literal, is_raw)| {
        let is_there = literal.start < wide && wide <= literal.end + CLOSING;
        let on_line = || &text[literal.start.max(start)..literal.end.min(end)];
        is_there && (is_raw || !on_line().trim().contains(' '))
    })
}

#[cfg(test)]
mod tests {
    use super::violations;
    use crate::violation::lines;

    #[test]
    fn wide_lines_are_found() {
        let text = format!("{}\n// {} b\n", "a ".repeat(50), "a".repeat(95));
        assert_eq!(lines(violations, "a.rs", &text), Vec::<usize>::new());
        let text = format!("x\nb {}\n// {} bc\n", "a ".repeat(50), "é".repeat(94));
        for path in ["a.rs", "a.cpp", "BUILD.bazel", "x/CMakeLists.txt", ".ci/run", "a.cu.txt"] {
            assert_eq!(lines(violations, path, &text), [2], "{path}");
        }
        assert!(lines(violations, "a.md", &text).is_empty());
    }

    #[test]
    fn lines_that_cannot_be_broken_are_excused() {
        let word = "a".repeat(110);
        for text in [
            format!("// https://{word}\n"),
            format!("    let x = \"{word}\";\n"),
            format!("    let x = r\"{} {word}\";\n", "a ".repeat(50)),
            format!("f(\"{}\");\n", "a".repeat(95)),
        ] {
            assert!(lines(violations, "a.rs", &text).is_empty(), "{text}");
        }
        let breakable = format!("    let x = \"{} {word}\";\n", "a ".repeat(50));
        assert_eq!(lines(violations, "a.rs", &breakable), [1]);
        let says = format!("# says: {} {word}\n", "a ".repeat(50));
        assert!(lines(violations, "BUILD.bazel", &says).is_empty());
        let argument = format!("set(A \"{} {word}\")\n", "a ".repeat(50));
        assert!(lines(violations, "a.cmake", &argument).is_empty());
    }
}
