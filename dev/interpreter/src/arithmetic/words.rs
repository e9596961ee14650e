//! The parts of an instruction's name.

use crate::types::Type;

/// Name of an instruction, and its modifiers that were not read yet.
pub(crate) struct Words<'text> {
    /// Name with all modifiers.
    pub(crate) text: &'text str,
    /// Name without modifiers.
    pub(crate) name: &'text str,
    rest: Vec<&'text str>,
}

impl<'text> Words<'text> {
    /// Divides a name such as `add.rn.f32`.
    pub(crate) fn new(text: &'text str) -> Self {
        let mut parts = text.split('.');
        let name = parts.next().unwrap_or_default();
        Self { text, name, rest: parts.collect() }
    }

    /// Reads the modifier `word` if it is there.
    pub(crate) fn take(&mut self, word: &str) -> bool {
        let place = self.rest.iter().position(|part| *part == word);
        if let Some(place) = place {
            self.rest.remove(place);
        }
        place.is_some()
    }

    /// Reads the first of these modifiers that is there.
    pub(crate) fn one_of<'word>(&mut self, words: &[&'word str]) -> Option<&'word str> {
        words.iter().copied().find(|word| self.take(word))
    }

    /// Reads the first modifier for which `read` has a value.
    pub(crate) fn first<T>(&mut self, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (place, value) =
            self.rest.iter().enumerate().find_map(|(place, part)| Some((place, read(part)?)))?;
        self.rest.remove(place);
        Some(value)
    }

    /// Reads the first type.
    pub(crate) fn of(&mut self) -> Option<Type> {
        self.first(Type::named)
    }

    /// Returns the last type without reading it.
    pub(crate) fn last_type(&self) -> Option<Type> {
        self.rest.iter().rev().find_map(|part| Type::named(part))
    }

    pub(crate) fn are_all_read(&self) -> bool {
        self.rest.is_empty()
    }
}
