//! Things that the report names by number.

use std::collections::BTreeMap;

/// Texts, each once.
#[derive(Debug, Default)]
pub(super) struct Texts {
    texts: Vec<String>,
    numbers: BTreeMap<String, u32>,
}

impl Texts {
    /// Returns the number of a text, which is added if it is new.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = position(self.texts.len());
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }

    pub(super) fn into_texts(self) -> Vec<String> {
        self.texts
    }
}

/// Returns a position as the report has it. There is no memory for 2^32 things.
pub(super) fn position(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
