//! A structure that C++ and Rust both write down is held against one list of numbers on both sides.
//!
//! The list is a line of C++, `constexpr size_t NameLayout[] = {size, offset of each field};`. The
//! C++ file holds `sizeof` and `offsetof` against the list in a `static_assert`. The Rust file has
//! the same line in `layout!`, which holds `size_of` and `offset_of!` against it. This rule finds
//! lists that differ or lack their pair, numbers that the `static_assert` omits, and structures
//! with C's layout that have no list.

use std::collections::BTreeMap;

use crate::checkout::File;
use crate::violation::Violation;

/// Folder of the crate with C++.
const PLACE: &str = "crates/device-ir/";
/// Start of a list, and the end of its name.
const START: &str = "constexpr size_t ";
const SUFFIX: &str = "Layout[]";

/// A list of the size and the offsets of a structure.
struct List<'file> {
    file: &'file File,
    line: usize,
    /// Text of the numbers, without spaces.
    numbers: String,
}

/// Finds everything against this rule in all files.
pub(crate) fn violations(files: &[File]) -> Vec<Violation> {
    let place = || files.iter().filter(|file| file.is_below(&[PLACE]));
    let in_cpp = lists(place().filter(|file| ["cpp", "h"].contains(&file.extension())));
    let in_rust = lists(place().filter(|file| file.extension() == "rs"));
    let mut found = Vec::new();
    for (name, list) in &in_cpp {
        if in_rust.get(name).is_none_or(|other| other.numbers != list.numbers) {
            let message = format!("no equal {name}{SUFFIX} is held against a structure of Rust");
            found.push(Violation::new(list.file, list.line, message));
        }
        found.extend(unasserted(name, list));
    }
    for (name, list) in in_rust.iter().filter(|(name, _)| !in_cpp.contains_key(*name)) {
        let message = format!("no {name}{SUFFIX} is held against a structure of C++");
        found.push(Violation::new(list.file, list.line, message));
    }
    let structures = place().filter(|file| file.extension() == "rs").flat_map(structures);
    let missing = structures.filter(|(_, _, name)| !in_rust.contains_key(name.as_str()));
    found.extend(missing.map(|(file, line, name)| {
        Violation::new(file, line, format!("{name} has C's layout and no {name}{SUFFIX}"))
    }));
    found
}

/// Reads the lists of these files by the names of their structures.
fn lists<'file>(files: impl Iterator<Item = &'file File>) -> BTreeMap<String, List<'file>> {
    let mut lists = BTreeMap::new();
    for file in files {
        for (at, _) in file.text.match_indices(START) {
            let rest = &file.text[at + START.len()..];
            let Some((name, numbers)) = rest.split_once(SUFFIX) else { continue };
            if name.contains(|c: char| !c.is_alphanumeric()) {
                continue;
            }
            let numbers = numbers.split(';').next().unwrap_or_default();
            let numbers = numbers.chars().filter(|c| !c.is_whitespace()).collect();
            let line = line_of(&file.text, at);
            lists.insert(name.to_owned(), List { file, line, numbers });
        }
    }
    lists
}

/// Finds numbers of a list of C++ that no `static_assert` behind it mentions.
fn unasserted(name: &str, list: &List<'_>) -> Option<Violation> {
    let behind = list.file.text.lines().skip(list.line - 1).collect::<Vec<_>>().join(" ");
    let assertion = behind.split("static_assert(").skip(1).map(|text| text.split(';').next());
    let assertion = assertion.flatten().find(|text| text.contains(&format!("sizeof({name})")));
    let assertion = assertion.unwrap_or_default();
    let count = list.numbers.matches(',').count() + 1;
    let is_held = |index: &usize| {
        let start = if *index == 0 { "sizeof(" } else { "offsetof(" };
        let number = format!("== {name}Layout[{index}]");
        let before = assertion.split_once(&number).map(|(before, _)| before);
        before.is_some_and(|before| before.rsplit("&&").next().unwrap_or(before).contains(start))
    };
    let index = (0..count).find(|index| !is_held(index))?;
    let message = format!("{name}Layout[{index}] is held against nothing by a static_assert");
    Some(Violation::new(list.file, list.line, message))
}

/// Finds the structures with C's layout, each behind its attributes.
fn structures(file: &File) -> Vec<(&File, usize, String)> {
    let mut rest = file.text.as_str();
    let mut found = Vec::new();
    for (index, line) in file.text.split_inclusive('\n').enumerate() {
        rest = &rest[line.len()..];
        if line.trim() == "#[repr(C)]"
            && let Some((_, after)) = rest.split_once("struct ")
        {
            let name = after.split(|c: char| !c.is_alphanumeric() && c != '_').next();
            found.push((file, index + 1, name.unwrap_or_default().to_owned()));
        }
    }
    found
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "constexpr size_t FactsLayout[] = {16, 0, 8};\n";
    const ASSERTION: &str = "static_assert(sizeof(Facts) == FactsLayout[0] &&\n  offsetof(Facts, \
                             A) == FactsLayout[1] &&\n  offsetof(Facts, B) == FactsLayout[2]);\n";
    const STRUCTURE: &str = "#[repr(C)]\n#[derive(Clone)]\npub(crate) struct Facts<'a> {}\n";

    fn found(cpp: &str, rust: &str) -> Vec<String> {
        let file = |(name, text): (&str, &str)| File {
            path: format!("{PLACE}src/{name}"),
            text: text.to_owned(),
        };
        let files = [("a.cpp", cpp), ("a.rs", rust)].map(file);
        let line = |found: Violation| format!("{}: {}", found.line, found.message);
        violations(&files).into_iter().map(line).collect()
    }

    #[test]
    fn lists_without_an_equal_on_the_other_side_are_found() {
        let cpp = format!("{LIST}{ASSERTION}");
        let rust = format!("{STRUCTURE}layout! {{\n    Facts<'_>: a, b;\n    {LIST}}}\n");
        assert_eq!(found(&cpp, &rust), [""; 0]);
        let wrapped = cpp.replace("{16, 0, 8}", "{\n    16, 0, 8};");
        assert_eq!(found(&wrapped, &rust), [""; 0]);
        let other = "1: no equal FactsLayout[] is held against a structure of Rust";
        assert_eq!(found(&cpp.replace("16", "24"), &rust), [other]);
        let lacking = "4: no FactsLayout[] is held against a structure of C++";
        assert_eq!(found("", &rust), [lacking.replace('4', "6")]);
    }

    #[test]
    fn structures_without_a_list_are_found() {
        assert_eq!(found("", STRUCTURE), ["1: Facts has C's layout and no FactsLayout[]"]);
        assert_eq!(found("", &STRUCTURE.replace("repr(C)", "repr(transparent)")), [""; 0]);
    }

    #[test]
    fn numbers_that_no_assertion_mentions_are_found() {
        let rust = format!("layout! {{\n    Facts: a, b;\n    {LIST}}}\n");
        let nothing = "1: FactsLayout[0] is held against nothing by a static_assert";
        assert_eq!(found(LIST, &rust), [nothing]);
        let cpp = format!("{LIST}{}", ASSERTION.replace("[2]", "[1]"));
        assert_eq!(found(&cpp, &rust), [nothing.replace("[0]", "[2]")]);
    }
}
