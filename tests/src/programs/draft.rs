//! A program in the making.

use std::collections::BTreeMap;

use super::expressions::World;
use crate::random::Random;

/// A definition as text.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its symbol, or the beginning of it if C++ adds the types of parameters.
    pub symbol: String,
    /// The literal that no other definition has and that its value depends on. Some have none.
    pub salt: String,
    /// C++.
    pub text: String,
}

impl Definition {
    /// Whether `symbol` is its symbol.
    pub fn is_called(&self, symbol: &str) -> bool {
        if self.symbol.starts_with("_Z") {
            symbol.starts_with(&self.symbol)
        } else {
            symbol == self.symbol
        }
    }

    /// One that cannot be told from its edited self.
    pub(super) fn unsalted(symbol: &str, text: String) -> Self {
        Self { symbol: symbol.to_owned(), salt: String::new(), text }
    }
}

/// A translation unit.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The name of its files without the extension, and its module id.
    pub name: String,
    /// What it defines, in order.
    pub definitions: Vec<Definition>,
    /// Declaration of the dynamic shared memory, which every unit aligns in its own way.
    pub(super) dynamic: String,
    /// Names of its local functions.
    pub(super) locals: Vec<String>,
    /// Names of the aliases that it defines.
    pub(super) aliases: Vec<String>,
    /// Arrays that its own dump kernel shows.
    pub(super) shown: Vec<String>,
}

/// What is written so far.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) random: Random,
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
    pub(super) fn new(mut random: Random) -> Self {
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

    /// A new literal.
    pub(super) fn salt(&mut self) -> String {
        self.salts += 1;
        format!("{}u", 1_000_000_000 + self.salts)
    }

    /// A new name that starts with `letter`.
    pub(super) fn name(&mut self, letter: &'static str) -> String {
        let number = self.names.entry(letter).or_default();
        *number += 1;
        format!("{letter}{number}")
    }

    pub(super) fn declare(&mut self, text: &str) {
        self.declarations.push_str(text);
    }
}
