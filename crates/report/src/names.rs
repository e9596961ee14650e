//! The table of names.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::demangle::{demangled, short};

/// Names of symbols, each once. The three lists have the same length. An empty text means that the
/// text of the list before applies: `demangled` for `short`, and `mangled` for `demangled`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Names {
    /// Names as the linker has them.
    pub mangled: Vec<String>,
    /// Names as the source has them, with parameters; at most [`crate::DEMANGLED_BYTES`] long.
    pub demangled: Vec<String>,
    /// Names without parameters and without long template arguments.
    pub short: Vec<String>,
}

impl Names {
    /// Returns a name as the linker has it; empty for a number without a name.
    pub fn mangled(&self, name: u32) -> &str {
        self.mangled.get(name as usize).map_or("", String::as_str)
    }

    /// Returns a name as the source has it.
    pub fn demangled(&self, name: u32) -> &str {
        let text = self.demangled.get(name as usize).map_or("", String::as_str);
        if text.is_empty() { self.mangled(name) } else { text }
    }

    /// Returns a name as a text shows it.
    pub fn in_form(&self, name: u32, form: Form) -> Cow<'_, str> {
        printable(match form {
            Form::Demangled => self.demangled(name),
            Form::Short => self.short(name),
            Form::Mangled => self.mangled(name),
        })
    }

    /// Returns a short name.
    pub fn short(&self, name: u32) -> &str {
        let text = self.short.get(name as usize).map_or("", String::as_str);
        if text.is_empty() { self.demangled(name) } else { text }
    }
}

/// A form of names in texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As the source has them.
    #[default]
    Demangled,
    /// Without parameters and without long template arguments.
    Short,
    /// As the linker has them.
    Mangled,
}

/// Returns `text` with escapes instead of characters that a terminal obeys.
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_obeyed = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
            || matches!(letter, '\u{2066}'..='\u{2069}')
    };
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_obeyed(letter) {
            escaped.extend(letter.escape_unicode());
        } else {
            escaped.push(letter);
        }
    }
    Cow::Owned(escaped)
}

/// A table of names that grows.
#[derive(Clone, Debug, Default)]
pub struct NameTable {
    names: Names,
    numbers: BTreeMap<String, u32>,
}

impl NameTable {
    /// Returns a table that goes on from `names`.
    pub fn of(names: Names) -> Self {
        let numbers = (0..).zip(&names.mangled).map(|(number, name)| (name.clone(), number));
        Self { numbers: numbers.collect(), names }
    }

    /// Returns the number of a name, which is added if it is new.
    pub fn number(&mut self, mangled: &str) -> u32 {
        if let Some(number) = self.numbers.get(mangled) {
            return *number;
        }
        // 2^32 names do not fit into the memory.
        let number = u32::try_from(self.names.mangled.len()).unwrap_or(u32::MAX);
        let source = demangled(mangled).unwrap_or_default();
        let brief = short(mangled);
        let before = if source.is_empty() { mangled } else { &source };
        let brief = if brief == before { String::new() } else { brief };
        self.names.mangled.push(mangled.to_owned());
        self.names.demangled.push(source);
        self.names.short.push(brief);
        self.numbers.insert(mangled.to_owned(), number);
        number
    }

    /// Returns the number of a name that the table has.
    pub fn find(&self, mangled: &str) -> Option<u32> {
        self.numbers.get(mangled).copied()
    }

    /// Returns the names so far.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Returns all names.
    pub fn into_names(self) -> Names {
        self.names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_number_and_three_forms() {
        let mut table = NameTable::default();
        assert_eq!((table.number("k"), table.number("_Z1fi"), table.number("k")), (0, 1, 0));
        assert_eq!((table.find("_Z1fi"), table.find("f")), (Some(1), None));
        let names = table.into_names();
        let forms = |name| [names.mangled(name), names.demangled(name), names.short(name)];
        assert_eq!(forms(0), ["k", "k", "k"]);
        assert_eq!(forms(1), ["_Z1fi", "f(int)", "f"]);
        assert_eq!(forms(2), ["", "", ""]);
        assert_eq!(names.demangled[0], "");
        let mut more = NameTable::of(names);
        assert_eq!((more.number("_Z1fi"), more.number("_Z1gv")), (1, 2));
        assert_eq!(more.names().short(2), "g");
    }

    #[test]
    fn a_terminal_obeys_no_name() {
        assert_eq!(printable("f<a>(\u{1b}[31m\n\u{202e})"), "f<a>(\\u{1b}[31m\\u{a}\\u{202e})");
        assert_eq!(printable("\u{e9}"), "\u{e9}");
    }
}
