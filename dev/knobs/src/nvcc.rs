//! The table of nvcc's options that clang refuses or misreads, `table/nvcc.txt`, whose head
//! describes its lines, in the words of CMake, of Starlark and of a page.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// CMake's list, from the root of the checkout.
pub const NVCC_CMAKE: &str = "cmake/private/_weft_nvcc_options.cmake";
/// Bazel's list, from the root of the checkout.
pub const NVCC_BAZEL: &str = "bazel/private/rules/nvcc_options.bzl";
/// Path of the page in the checkout.
pub const NVCC_PAGE: &str = "docs/nvcc-options.md";

/// Width of the lines of names.
const WIDTH: usize = 100;

/// Words for the placeholders of a remedy, in Bazel, and on the page.
const WORDS: [(&str, [&str; 3]); 5] = [
    ("{options}", ["OPTIONS", "`options`", "`OPTIONS` or `options`"]),
    (
        "{architectures}",
        [
            "ARCHITECTURES or CUDA_ARCHITECTURES",
            "`architectures` or --@weft//:architectures",
            "`ARCHITECTURES` or `architectures`",
        ],
    ),
    (
        "{cudart}",
        [
            "the property CUDA_RUNTIME_LIBRARY",
            "--@weft//:cudart",
            "`CUDA_RUNTIME_LIBRARY` or `--@weft//:cudart`",
        ],
    ),
    ("{keep}", ["KEEP", "`keep`", "`KEEP` or `keep`"]),
    ("{report}", ["REPORT", "the output group weft_report", "a [report](report.md)"]),
];

/// A build system, or the page: the position of its words in `WORDS`.
#[derive(Clone, Copy, Debug)]
enum Language {
    Cmake,
    Bazel,
    Page,
}

/// The words of a command that are an option of nvcc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NvccSpelling {
    /// The option as nvcc writes it, without a value.
    pub name: String,
    /// `any`: with a value in both forms; `joined`: only `-name=VALUE`; `alone`: only as a word;
    /// `number`: as `any`, and with digits directly behind; `values`: only with one of `values`.
    pub form: &'static str,
    /// The values by which an option that clang has, too, is nvcc's.
    pub values: Vec<String>,
}

impl NvccSpelling {
    /// Returns the option in each form that belongs to the spelling, as words of a command.
    pub fn examples(&self) -> Vec<String> {
        let Self { name, form, values } = self;
        let value = values.first().map_or("7", String::as_str);
        let joined = format!("{name}={value}");
        match *form {
            "joined" => vec![joined],
            "alone" => vec![name.clone()],
            "values" => vec![joined, format!("{name} {value}")],
            "number" => vec![joined, name.clone(), format!("{name}4")],
            _ => vec![joined, name.clone()],
        }
    }
}

/// Spellings with one remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NvccRow {
    /// The spellings.
    pub spellings: Vec<NvccSpelling>,
    /// Options to give instead; `None` if clang takes the spellings with nvcc's meaning.
    pub remedy: Option<String>,
}

/// Returns the table that this crate holds.
pub fn nvcc_options() -> Result<Vec<NvccRow>, String> {
    read(include_str!("../table/nvcc.txt"))
        .map_err(|error| format!("dev/knobs/table/nvcc.txt:{error}"))
}

/// Reads a table. An error starts with the number of the line.
fn read(text: &str) -> Result<Vec<NvccRow>, String> {
    let mut rows = Vec::new();
    let mut names = BTreeSet::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let row = row(line).map_err(|reason| format!("{}: {reason}: {line}", index + 1))?;
        let refused = row.spellings.iter().filter(|_| row.remedy.is_some());
        for spelling in refused {
            if !names.insert(spelling.name.clone()) {
                return Err(format!("{}: {} is there twice", index + 1, spelling.name));
            }
        }
        rows.push(row);
    }
    Ok(rows)
}

fn row(line: &str) -> Result<NvccRow, &'static str> {
    let (words, remedy) = if let Some(words) = line.strip_prefix("same ") {
        (words, None)
    } else {
        let (words, remedy) = line.split_once(": ").ok_or("no remedy")?;
        if remedy.contains([';', '|', '"', '[', ']', '$', '\\']) {
            return Err("the remedy has a character that divides lists");
        }
        (words, Some(remedy.to_owned()))
    };
    let spellings: Vec<NvccSpelling> = words.split(' ').map(spelling).collect();
    if spellings.iter().all(|spelling| spelling.name.starts_with('-')) {
        Ok(NvccRow { spellings, remedy })
    } else {
        Err("a spelling without a hyphen")
    }
}

fn spelling(word: &str) -> NvccSpelling {
    let (name, form, values) = if let Some(name) = word.strip_suffix('!') {
        (name, "alone", "")
    } else if let Some(name) = word.strip_suffix('#') {
        (name, "number", "")
    } else if let Some(name) = word.strip_suffix('=') {
        (name, "joined", "")
    } else if let Some((name, values)) = word.split_once('=') {
        (name, "values", values)
    } else {
        (word, "any", "")
    };
    let values = values.split(',').filter(|value| !value.is_empty()).map(str::to_owned).collect();
    NvccSpelling { name: name.to_owned(), form, values }
}

/// Returns the spellings that are refused, with their remedies in the words of a language.
fn refused(rows: &[NvccRow], language: Language) -> Vec<(&NvccSpelling, String)> {
    let mut list = Vec::new();
    for row in rows {
        let Some(remedy) = &row.remedy else { continue };
        let mut text = remedy.clone();
        for (placeholder, words) in WORDS {
            text = text.replace(placeholder, words[language as usize]);
        }
        list.extend(row.spellings.iter().map(|spelling| (spelling, text.clone())));
    }
    list.sort_by(|one, two| one.0.name.cmp(&two.0.name));
    list
}

/// Returns CMake's list.
pub fn nvcc_cmake(rows: &[NvccRow]) -> String {
    let list = refused(rows, Language::Cmake);
    let names = filled(list.iter().map(|(spelling, _)| spelling.name.as_str()));
    let mut texts = String::new();
    for (spelling, remedy) in list {
        let values = spelling.values.join(",");
        // Writing to a String cannot fail.
        let _ = writeln!(texts, "    \"{}|{values}|{remedy}\"", spelling.form);
    }
    format!(
        "\
# Made by `cargo xtask knobs --write` from dev/knobs/table/nvcc.txt; do not edit.
include_guard(GLOBAL)

# _weft_nvcc_options(<names> <rows>)
#
# Sets <names> to nvcc's options that clang refuses or reads as something else, and <rows> to
# FORM|VALUES|REMEDY for each. With the form `any`, the option is -name and -name=VALUE; with
# `joined` only the latter, with `alone` only the former; with `number` also -name3; with `values`
# only -name=VALUE and -name VALUE for one of VALUES, which have commas between.
function(_weft_nvcc_options names rows)
  set(${{names}}
{names}    PARENT_SCOPE)
  set(${{rows}}
{texts}    PARENT_SCOPE)
endfunction()
"
    )
}

/// Returns lines of words.
fn filled<'words>(words: impl Iterator<Item = &'words str>) -> String {
    let mut text = String::new();
    let mut line = String::from("   ");
    for word in words {
        if line.len() + 1 + word.len() > WIDTH {
            text += &(line + "\n");
            line = String::from("   ");
        }
        line += " ";
        line += word;
    }
    text + &line + "\n"
}

/// Returns Bazel's list.
pub fn nvcc_bazel(rows: &[NvccRow]) -> String {
    let mut entries = String::new();
    for (spelling, remedy) in refused(rows, Language::Bazel) {
        let values = spelling.values.join(",");
        entries += &entry(&spelling.name, &format!("{}|{values}|{remedy}", spelling.form));
    }
    format!(
        "\
\"\"\"nvcc's options that clang refuses or reads as something else.

Made by `cargo xtask knobs --write` from dev/knobs/table/nvcc.txt; do not edit.
\"\"\"

# For each option `FORM|VALUES|REMEDY`. With the form `any`, the option is -name and -name=VALUE;
# with `joined` only the latter, with `alone` only the former; with `number` also -name3; with
# `values` only -name=VALUE and -name VALUE for one of VALUES, which have commas between.
NVCC_OPTIONS = {{
{entries}}}
"
    )
}

/// Returns an entry of Bazel's list, in the form of buildifier.
fn entry(name: &str, value: &str) -> String {
    let start = format!("    \"{name}\": ");
    // Besides the text there are the quotes and the sign that joins two.
    let width = WIDTH - start.len() - "\"\" +".len();
    let mut parts = vec![String::new()];
    for word in value.split_inclusive([' ', ',']) {
        match parts.last_mut() {
            Some(part) if part.len() + word.len() <= width => *part += word,
            _ => parts.push(word.to_owned()),
        }
    }
    let parts: Vec<String> = parts.iter().map(|part| format!("\"{part}\"")).collect();
    start.clone() + &parts.join(&format!(" +\n{}", " ".repeat(start.len()))) + ",\n"
}

/// Returns the page.
pub fn nvcc_page(rows: &[NvccRow]) -> String {
    let mut text = "\
# Options of nvcc

With clang as the compiler, CMake and Bazel refuse these options of nvcc where they configure.
clang would refuse most of them one by one, and read some as something else: `-use_fast_math` is
`-u se_fast_math` to it, an option of the linker.

`cargo xtask knobs --write` makes this page from the [table](../dev/knobs/table/nvcc.txt), which has
every option of `nvcc --help` of CUDA 13.5.

| nvcc | instead |
|---|---|
"
    .to_owned();
    for row in rows.iter().filter(|row| row.remedy.is_some()) {
        let names: Vec<String> = row.spellings.iter().map(shown).collect();
        let own = [NvccRow { spellings: row.spellings[..1].to_vec(), remedy: row.remedy.clone() }];
        for (_, remedy) in refused(&own, Language::Page) {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "| {} | {remedy} |", names.join(", "));
        }
    }
    text
}

fn shown(spelling: &NvccSpelling) -> String {
    let name = &spelling.name;
    match spelling.form {
        "joined" => format!("`{name}=…`"),
        "number" => format!("`{name}`, `{name}4`"),
        "values" => spelling
            .values
            .iter()
            .map(|value| format!("`{name} {value}`"))
            .collect::<Vec<_>>()
            .join(", "),
        _ => format!("`{name}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lists_and_the_page_say_the_same() {
        let text = "# head\n--fast -f#: {options} --ftz=1\n-W=all: clang's -Werror\nsame -g\n";
        let rows = read(text).unwrap_or_default();
        assert_eq!(rows.len(), 3);
        let list = nvcc_cmake(&rows);
        assert!(list.contains("    --fast -W -f\n    PARENT_SCOPE"), "{list}");
        assert!(list.contains("    \"number||OPTIONS --ftz=1\"\n"), "{list}");
        let list = nvcc_bazel(&rows);
        assert!(list.contains("    \"-W\": \"values|all|clang's -Werror\",\n"), "{list}");
        let page = nvcc_page(&rows);
        let line = "| `--fast`, `-f`, `-f4` | `OPTIONS` or `options` --ftz=1 |\n";
        assert!(page.contains(line), "{page}");
        assert!(!page.contains("-g"), "{page}");
    }

    #[test]
    fn rows_that_say_nothing_are_refused() {
        for text in ["-a", "-a: b; c", "a: b", "-a: b\n-a: c"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
