//! Why a symbol stays or is removed.

use super::{Answers, detail, line};
use crate::data::{FATES, FIRST_DEAD, filled, sentence};

impl Answers<'_> {
    /// Describes, for each definition, the path from it to a root, or says that it is removed.
    pub(super) fn why_live(&self, definitions: &[u32]) -> String {
        let mut text = String::new();
        for &definition in definitions {
            let key = if self.is_dead(definition) { "goes_ask" } else { "stays" };
            line(&mut text, &sentence(key, &[("definition", &self.definition(definition))]));
            if !self.is_dead(definition) {
                self.chain(&mut text, definition);
            }
        }
        text
    }

    /// Describes, for each definition, the removed definitions that refer to it, or says that it
    /// stays.
    pub(super) fn why_dead(&self, definitions: &[u32]) -> String {
        let mut text = String::new();
        for &definition in definitions {
            let key = if self.is_dead(definition) { "goes" } else { "stays_ask" };
            line(&mut text, &sentence(key, &[("definition", &self.definition(definition))]));
            if self.is_dead(definition) {
                self.chain(&mut text, definition);
            }
        }
        text
    }

    fn fate(&self, definition: u32) -> u8 {
        self.facts.definitions.fate.get(definition as usize).copied().unwrap_or(0)
    }

    fn is_dead(&self, definition: u32) -> bool {
        self.fate(definition) >= FIRST_DEAD
    }

    /// Appends a line for each step from `definition` to the end.
    fn chain(&self, text: &mut String, definition: u32) {
        let mut at = definition;
        let mut seen = std::collections::BTreeSet::new();
        loop {
            seen.insert(at);
            let (_, words) = FATES[usize::from(self.fate(at)).min(FATES.len() - 1)];
            let other = self.facts.definitions.other.get(at as usize).copied().unwrap_or(-1);
            let Ok(next) = u32::try_from(other) else {
                line(text, &format!("  {words}"));
                return;
            };
            let words = filled(words, &[("other", &self.definition(next))]);
            line(text, &format!("  {words}"));
            if seen.contains(&next) {
                detail(text, "circle", &[]);
                return;
            }
            at = next;
        }
    }
}
