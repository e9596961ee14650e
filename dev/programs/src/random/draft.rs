//! A program under construction.

use std::collections::BTreeMap;

use super::expressions::World;
use dev_random::Choices;

/// A definition as C++ text.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Symbol of the definition, or the beginning of the symbol if C++ appends the types of
    /// parameters.
    pub symbol: String,
    /// Literal that no other definition has and that the value of this one depends on. Empty if the
    /// definition has no such literal.
    pub salt: String,
    /// Text in C++.
    pub text: String,
}

impl Definition {
    /// Returns whether the definition has this symbol.
    pub fn is_called(&self, symbol: &str) -> bool {
        if self.symbol.starts_with("_Z") {
            symbol.starts_with(&self.symbol)
        } else {
            symbol == self.symbol
        }
    }

    /// Returns a definition without a salt, so that edits do not change its value.
    pub(super) fn unsalted(symbol: &str, text: String) -> Self {
        Self { symbol: symbol.to_owned(), salt: String::new(), text }
    }
}

/// A translation unit.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Name of the unit's files without the extension, and its module id.
    pub name: String,
    /// Definitions in the order of the file.
    pub definitions: Vec<Definition>,
    /// Declaration of the dynamic shared memory, whose alignment differs from unit to unit.
    pub(super) dynamic: String,
    /// Names of the local functions.
    pub(super) locals: Vec<String>,
    /// Names of the aliases that the unit defines.
    pub(super) aliases: Vec<String>,
    /// Arrays that the unit's own dump kernel shows.
    pub(super) shown: Vec<String>,
}

/// The parts of a program that have been written so far.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) random: Choices,
    pub(super) world: World,
    /// Declarations that all units see.
    pub(super) declarations: String,
    /// Definitions that all units see.
    pub(super) header: Vec<Definition>,
    pub(super) units: Vec<Unit>,
    salts: u64,
    names: BTreeMap<&'static str, usize>,
}

impl Draft {
    pub(super) fn new(mut random: Choices) -> Self {
        let count = 2 + random.below(3);
        let unit = |number| Unit {
            name: format!("u{number}"),
            definitions: Vec::new(),
            dynamic: String::new(),
            locals: Vec::new(),
            aliases: Vec::new(),
            shown: Vec::new(),
        };
        Self {
            random,
            world: World::default(),
            declarations: String::new(),
            header: Vec::new(),
            units: (0..count).map(unit).collect(),
            salts: 0,
            names: BTreeMap::new(),
        }
    }

    /// Returns a literal that was not used before.
    pub(super) fn salt(&mut self) -> String {
        self.salts += 1;
        format!("{}u", 1_000_000_000 + self.salts)
    }

    /// Returns a new name that starts with `letter`.
    pub(super) fn name(&mut self, letter: &'static str) -> String {
        let number = self.names.entry(letter).or_default();
        *number += 1;
        format!("{letter}{number}")
    }

    pub(super) fn declare(&mut self, text: &str) {
        self.declarations.push_str(text);
    }
}
