//! The table of names.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::demangle::{demangled, short};

/// Names of symbols, each once. The three lists have the same length. An empty text stands for the
/// same text as in the list before: `short` for `demangled`, and that for `mangled`.
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

    /// Returns a short name.
    pub fn short(&self, name: u32) -> &str {
        let text = self.short.get(name as usize).map_or("", String::as_str);
        if text.is_empty() { self.demangled(name) } else { text }
    }
}

/// A table of names that grows.
#[derive(Clone, Debug, Default)]
pub struct NameTable {
    names: Names,
    numbers: BTreeMap<String, u32>,
}

impl NameTable {
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
    }
}
